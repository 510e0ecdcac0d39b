import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Id, Json, Output } from '@corral/contract';
import { ByteReader, type Channel, type ChannelRequest, RpcClient, RpcError } from '@corral/multiplex';
import {
  connectLink,
  deviceHeaders,
  isOpen,
  newDevice,
  type OpenLink,
  type TestDevice,
} from './device-client.ts';
import { deviceIdOf, type GatewayScene } from './gateway-scene.ts';

type Work = Output<'devices_ClaimOperationWork'>['work'][number];

/** How a command ended. */
interface Ended {
  readonly output?: Json;
  readonly error?: string;
  readonly log?: readonly string[];
}

/** A command of a test device: whatever it does to the world it appends to `effects` of its device. */
export type TestCommand = (input: Json, killed: AbortSignal) => Promise<Ended> | Ended;

interface Entry {
  report: { status: 'Succeeded' | 'Failed'; output?: Json; error?: string } | undefined;
}

/** What of a device outlives its agent. */
export interface Disk {
  readonly device: TestDevice;
  /** The commands that began, in order: they judge whether one ran twice. */
  readonly effects: string[];
  /** Steps that were begun and not yet acknowledged. */
  readonly ledger: Map<string, Entry>;
  readonly commands: Map<string, TestCommand>;
}

/** A new device with a command `touch`, which ends at once. */
export async function newDisk(): Promise<Disk> {
  return {
    device: await newDevice(),
    effects: [],
    ledger: new Map(),
    commands: new Map([['touch', () => ({ output: 'touched' })]]),
  };
}

/** Where an agent of 2026-08 can lose its connection. */
export const cutPoints = [
  'connected',
  'claim sent',
  'work received',
  'step noted',
  'command begun',
  'command runs',
  'command ended',
  'result noted',
  'report sent',
  'report acknowledged',
  'step forgotten',
  'next claim sent',
] as const;
/** Where an agent that serves `handler` can lose its connection; those of a command are the same. */
export const channelCutPoints = [
  'connected',
  'channel accepted',
  'invocation read',
  'command begun',
  'command runs',
  'command ended',
  'log sent',
  'result sent',
  'channel ended',
] as const;
/** A place on the way of an agent. */
type CutPoint = (typeof cutPoints)[number] | (typeof channelCutPoints)[number];

/** Ends a connection: its link is cut, or the device loses its power, of which the hub hears nothing for a while. */
export type Cut = (how?: 'link' | 'power') => void;

/** How long the hub takes a device without power for connected, in milliseconds: with real ones 20 s. */
const silentMs = 400;

interface AgentOptions {
  /** By default both. */
  readonly operations?: boolean;
  readonly commands?: boolean;
  /** Called at each point of its way. */
  readonly at?: (point: CutPoint, cut: Cut) => void;
  /** Called with the result of a step once it is in the ledger. */
  readonly onNoted?: (input: Json, report: NonNullable<Entry['report']>) => void;
  /** Sends each report twice. */
  readonly reportsTwice?: boolean;
  /** Cannot write its ledger: it runs nothing and asks again. */
  readonly hasFullDisk?: boolean;
  /** How it describes itself to the hub; by default as agents of 2026 do, by nothing. */
  readonly info?: string;
  /** Runs on with its commands after its connection, as agents of 2026-04 do. */
  readonly runsOn?: boolean;
}

/** A connected agent. */
export interface TestAgent {
  readonly link: OpenLink;
  readonly deviceId: Id<'device'>;
  /** The endpoints that the hub has opened. */
  readonly endpoints: readonly string[];
  /** The answers to its claims. */
  readonly claims: readonly (readonly Work[])[];
  /** Asks for a step once, as a second executor would. */
  claim(): Promise<readonly Work[]>;
  /** Loses the connection without a word. */
  readonly cut: Cut;
  /** Fulfilled when it has lost its connection or its power. */
  readonly gone: Promise<unknown>;
  /** Fulfilled when nothing of it runs any more. */
  readonly ended: Promise<unknown>;
}

/** Connects an agent of 2026-08: it claims steps with a ledger, or serves commands through channels, or both. */
export async function connectAgent(
  scene: Pick<GatewayScene, 'url' | 'token'>,
  disk: Disk,
  options: AgentOptions = {},
): Promise<TestAgent> {
  const { operations = true, commands = true, info = '', runsOn = false } = options;
  const endpoints: string[] = [];
  const killed = new AbortController();
  const off = Promise.withResolvers<undefined>();
  let isOff = false;
  const at = (point: CutPoint): void => {
    if (!isOff) options.at?.(point, cut);
    if (isOff) throw new Error('the power is off');
  };
  const serve = (request: ChannelRequest): void => {
    endpoints.push(request.endpoint);
    if (request.endpoint !== 'handler' || !commands) return request.reject('unknown endpoint');
    void serveHandler(request.accept(), disk, { at, killed: killed.signal }).catch(() => undefined);
  };
  const link = await connectLink(scene.url, deviceHeaders(disk.device, scene.token), serve, info);
  if (!isOpen(link)) throw new Error(link.body.message);
  const cut: Cut = (how = 'link') => {
    if (how === 'link') return void link.socket.destroy();
    isOff = true;
    killed.abort();
    off.resolve(undefined);
    link.socket.removeAllListeners('data').pause();
    setTimeout(() => link.socket.destroy(), silentMs);
  };
  void link.connection.closed.then(() => runsOn || killed.abort());
  const deviceId = await deviceIdOf(link);
  const rpc = await link.rpc();
  const agent = { version: 'test', config: { commands: { enabled: commands } } };
  await rpc.invoke('devices_SetProperty', { deviceId, name: 'dev.nexigon.system.info', value: { agent } });
  const claims: (readonly Work[])[] = [];
  const worker = new Worker(link, deviceId, disk, { ...options, at, claims, killed: killed.signal });
  at('connected');
  const ended = operations ? worker.run().catch(() => undefined) : link.connection.closed;
  const gone = Promise.race([link.connection.closed, off.promise]);
  return { link, deviceId, endpoints, claims, cut, gone, ended, claim: () => worker.claim() };
}

interface WorkerParts extends Pick<AgentOptions, 'hasFullDisk' | 'onNoted' | 'reportsTwice'> {
  readonly at: (point: CutPoint) => void;
  readonly claims: (readonly Work[])[];
  readonly killed: AbortSignal;
}

/** The executor of operations of an agent. */
class Worker {
  readonly #link: OpenLink;
  readonly #deviceId: Id<'device'>;
  readonly #disk: Disk;
  readonly #parts: WorkerParts;

  constructor(link: OpenLink, deviceId: Id<'device'>, disk: Disk, parts: WorkerParts) {
    this.#link = link;
    this.#deviceId = deviceId;
    this.#disk = disk;
    this.#parts = parts;
  }

  /** Until its connection ends, or a claim is answered with nothing: real ones ask again after a minute. */
  async run(): Promise<void> {
    const rpc = new RpcClient(await this.#link.connection.openChannel('executor'));
    for (let hasRun = false; ; hasRun = true) {
      const asked = this.#ask(rpc);
      asked.catch(() => undefined);
      this.#parts.at(hasRun ? 'next claim sent' : 'claim sent');
      const work = await asked;
      this.#parts.claims.push(work);
      if (work[0] === undefined) return;
      this.#parts.at('work received');
      await this.#do(rpc, work[0]);
    }
  }

  async claim(): Promise<readonly Work[]> {
    return this.#ask(new RpcClient(await this.#link.connection.openChannel('executor')));
  }

  async #ask(rpc: RpcClient): Promise<readonly Work[]> {
    const input = { deviceId: this.#deviceId, limit: 1, kinds: ['DeviceCommand'] };
    return ((await rpc.invoke('devices_ClaimOperationWork', input)) as { work: Work[] }).work;
  }

  async #do(rpc: RpcClient, work: Work): Promise<void> {
    const { ledger } = this.#disk;
    const { at, hasFullDisk = false, onNoted } = this.#parts;
    const key = `${work.deviceOperationId} ${work.stepIndex}`;
    const known = ledger.get(key);
    const entry: Entry = known ?? { report: undefined };
    if (known === undefined) {
      if (hasFullDisk) return;
      ledger.set(key, entry);
      at('step noted');
      entry.report = await this.#run(work);
      onNoted?.(work.step.input, entry.report);
    }
    entry.report ??= {
      status: 'Failed',
      error: 'previous command execution was interrupted after dispatch; its outcome is unknown',
    };
    at('result noted');
    if (!(await this.#report(rpc, work, entry.report))) return;
    at('report acknowledged');
    ledger.delete(key);
    at('step forgotten');
  }

  /** Whether it was acknowledged: after an error the result stays, and it claims again at once. */
  async #report(rpc: RpcClient, work: Work, report: NonNullable<Entry['report']>): Promise<boolean> {
    const { deviceOperationId, stepIndex, claimId } = work;
    const input = { deviceId: this.#deviceId, deviceOperationId, stepIndex, claimId, report };
    try {
      for (let left = this.#parts.reportsTwice === true ? 2 : 1; left > 0; left -= 1) {
        const reported = rpc.invoke('devices_ReportOperationStep', input);
        reported.catch(() => undefined);
        this.#parts.at('report sent');
        await reported;
      }
      return true;
    } catch (error) {
      if (error instanceof RpcError) return false;
      throw error;
    }
  }

  async #run(work: Work): Promise<NonNullable<Entry['report']>> {
    if (work.step.kind !== 'DeviceCommand') throw new Error('it asked for commands only');
    const { at, killed } = this.#parts;
    const { output, error } = await runOnDisk(this.#disk, work.step, this.#parts);
    at('command ended');
    // The process ended here, before it noted the result.
    if (killed.aborted) throw new Error('killed');
    return error === undefined
      ? { status: 'Succeeded', ...(output === undefined ? {} : { output }) }
      : { status: 'Failed', error };
  }
}

/** The process of a command: whether it is killed, and who is told how far it is. */
type Running = Pick<WorkerParts, 'at' | 'killed'>;

async function runOnDisk(
  disk: Disk,
  { command, input }: { readonly command: string; readonly input: Json },
  { at, killed }: Running,
): Promise<Ended> {
  disk.effects.push(command);
  const run = disk.commands.get(command);
  if (run === undefined) return { error: 'no such command' };
  const wasKilled = new Promise<Ended>((resolve) =>
    killed.addEventListener('abort', () => resolve({ error: 'killed' }), { once: true }),
  );
  const running = Promise.race([run(input, killed), wasKilled]);
  running.catch(() => undefined);
  at('command begun');
  await nextTurn();
  at('command runs');
  return running;
}

/** Runs one command for the hub, as agents of both generations of 2026 do. */
async function serveHandler(channel: Channel, disk: Disk, running: Running): Promise<void> {
  const { at } = running;
  at('channel accepted');
  const reader = new ByteReader(channel);
  const head = await reader.read(4);
  if (head === null) return;
  const body = await reader.read(Buffer.from(head).readUInt32BE());
  const invoke = JSON.parse(Buffer.from(body ?? []).toString()) as {
    command: string;
    input: Json;
    type: string;
  };
  at('invocation read');
  const { output, error, log = [] } = await runOnDisk(disk, invoke, running);
  at('command ended');
  for (const line of log) await channel.write(frameOf({ type: 'Log', lines: [`${line}\n`] }));
  at('log sent');
  const status = error === undefined ? 'Ok' : 'Error';
  await channel.write(frameOf({ type: 'Done', status, output, error, logTail: [...log], durationMs: 1 }));
  at('result sent');
  channel.end();
  at('channel ended');
}

/** A frame of the endpoint `handler`. */
export function frameOf(message: object): Uint8Array {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}
