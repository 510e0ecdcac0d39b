import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ActionError, ids, type Id, type Json, type Output } from '@corral/contract';
import type { GatewayOperations } from './gateway-operations.ts';
import type { GatewayScene } from './gateway-scene.ts';
import {
  channelCutPoints,
  connectAgent,
  type Cut,
  cutPoints,
  type Disk,
  newDisk,
  type TestAgent,
} from './operation-agents.ts';

/** Places on the way of a step inside the hub. */
const hubClaimPoints = ['claim arrived', 'step taken', 'report arrived', 'report recorded'] as const;
const hubChannelPoints = ['step taken', 'result arrived', 'result recorded'] as const;

/** What an agent does of itself. */
interface Kind {
  readonly points: readonly string[];
  readonly options: Parameters<typeof connectAgent>[2];
}

const claimPoints = [...cutPoints, ...hubClaimPoints];
const channelPoints = [...channelCutPoints, ...hubChannelPoints];
const fullDiskPoints = ['connected', 'claim sent', 'claim arrived', 'step taken', 'work received'];
const kinds = {
  'claims (2026-08)': { points: claimPoints, options: { commands: false } },
  'claims, each report twice': { points: claimPoints, options: { commands: false, reportsTwice: true } },
  'claims, ledger full': { points: fullDiskPoints, options: { commands: false, hasFullDisk: true } },
  'claims and handler (2026-08)': { points: [...claimPoints, ...channelPoints], options: {} },
  'handler (2026-08)': { points: channelPoints, options: { operations: false } },
  'handler, runs on (2026-04)': { points: channelPoints, options: { operations: false, runsOn: true } },
  'handler (Corral)': { points: channelPoints, options: { operations: false, info: 'corral-agent test' } },
} as const satisfies Record<string, Kind>;
type KindName = keyof typeof kinds;

/** What many cuts have done. */
interface CutCounts {
  cuts: number;
  steps: number;
  /** How the steps ended, by kind of agent. */
  readonly ends: Record<string, number>;
  readonly cutsAt: Record<string, number>;
  /** Steps whose command began more than once, as the file on the device says. */
  twice: string[];
  /** Results that a device had noted, or that had reached the hub, and that are not what the hub has. */
  readonly lost: string[];
  /** Steps that ended in a way in which they may not. */
  readonly wrong: string[];
  /** Steps that three connections took and lost, one after the other: the hub gives them up, whatever the device knows of them. */
  givenUp: number;
}

/** A result as a device noted it, or as the hub has it. */
interface Result {
  readonly status: string;
  readonly output?: Json | undefined;
  readonly error?: string | undefined;
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const devicesAtOnce = 48;
/** A device may connect 30 times at once. */
const stepsOfDevice = 8;
const stepTimeoutMs = 180_000;

/** Runs steps on many devices that are cut at random places until there were so many cuts. */
export async function cutSteps(
  scene: GatewayScene,
  operations: GatewayOperations,
  { cuts, seed }: { readonly cuts: number; readonly seed: number },
): Promise<CutCounts> {
  const folder = mkdtempSync(join(tmpdir(), 'corral-cuts-'));
  const file = join(folder, 'effects');
  const counts: CutCounts = {
    cuts: 0,
    steps: 0,
    ends: {},
    cutsAt: {},
    twice: [],
    lost: [],
    wrong: [],
    givenUp: 0,
  };
  const devices = new Map<string, CutDevice>();
  const finished = new Map<string, () => void>();
  const stopHooks = hookHub(scene, devices, seed);
  const unsubscribe = scene.bus.subscribe(
    ({ name, data }) => {
      if (name === 'devices_OperationFinished') finished.get(String(data['deviceOperationId']))?.();
    },
    () => undefined,
  );
  const stopTicks = tickWhile(operations);
  let next = 0;
  const names = Object.keys(kinds) as KindName[];
  const work = async (): Promise<void> => {
    while (counts.cuts < cuts) {
      const number = (next += 1);
      const name = names[number % names.length] ?? 'claims (2026-08)';
      const device = new CutDevice(scene, name, { counts, file, random: randomOf(seed * 7919 + number) });
      try {
        devices.set(await device.start(), device);
        for (let step = 0; step < stepsOfDevice && counts.cuts < cuts; step += 1)
          await device.runStep(`${number}.${step}`, operations, finished);
      } finally {
        device.stop();
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: devicesAtOnce }, work));
    counts.twice = repeated(readFileSync(file, 'utf8').split('\n'));
    return counts;
  } finally {
    await stopTicks();
    unsubscribe();
    stopHooks();
    rmSync(folder, { recursive: true });
  }
}

function repeated(lines: readonly string[]): string[] {
  const seen = new Set<string>();
  return lines.filter((line) => line !== '' && (seen.has(line) || !seen.add(line)));
}

/** The clock of the hub runs three times as fast. */
function tickWhile(operations: GatewayOperations): () => Promise<void> {
  let isStopped = false;
  const ticking = (async () => {
    while (!isStopped) {
      await operations.tick(0.3);
      await delay(100);
    }
  })();
  return () => {
    isStopped = true;
    return ticking;
  };
}

/** One device with its agents, one after the other. */
class CutDevice {
  readonly #scene: GatewayScene;
  readonly #name: KindName;
  readonly #parts: { readonly counts: CutCounts; readonly file: string; readonly random: () => number };
  /** Where it is cut next. */
  readonly #planned: string[] = [];
  /** The results in its ledger, by step. */
  readonly #noted = new Map<string, Result>();
  /** The results that reached the hub through channels, by operation. */
  readonly arrived = new Map<string, Result>();
  /** How often a step was handed out for a claim, by operation. */
  readonly handedOut = new Map<string, number>();
  #disk: Disk | undefined;
  #agent: TestAgent | undefined;
  #cut: Cut = () => undefined;
  #deviceId: Id<'device'> | undefined;
  #isStopped = false;

  constructor(
    scene: GatewayScene,
    name: KindName,
    parts: { readonly counts: CutCounts; readonly file: string; readonly random: () => number },
  ) {
    this.#scene = scene;
    this.#name = name;
    this.#parts = parts;
  }

  async start(): Promise<string> {
    this.#disk = await newDisk();
    this.#disk.commands.set('append', (input, killed) => this.#command(String(input), killed));
    this.#agent = await this.#connect(this.#disk);
    this.#deviceId = this.#agent.deviceId;
    void this.#reconnect(this.#disk);
    return this.#deviceId;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cut();
  }

  #command(key: string, killed: AbortSignal) {
    appendFileSync(this.#parts.file, `${key}\n`);
    const chance = this.#parts.random();
    const ended = chance < 0.15 ? { error: `failed ${key}` } : { output: { key }, log: ['a line'] };
    return chance > 0.5 ? ended : delay(Math.ceil(chance * 40), ended, { signal: killed }).catch(() => ended);
  }

  #connect(disk: Disk): Promise<TestAgent> {
    return connectAgent(this.#scene, disk, {
      ...kinds[this.#name].options,
      at: (point, cut) => {
        this.#cut = cut;
        this.at(point);
      },
      onNoted: (input, report) => void this.#noted.set(String(input), report),
    });
  }

  async #reconnect(disk: Disk): Promise<void> {
    while (!this.#isStopped) {
      await this.#agent?.gone;
      if (this.#isStopped) return;
      const agent = await this.#connect(disk).catch(() => undefined);
      if (agent === undefined) await delay(50);
      else this.#agent = agent;
    }
    this.#agent?.cut();
  }

  /** The hub has taken a step of the device, for a claim if it says of which operation. */
  takenBy(id: string | undefined): void {
    if (id !== undefined) this.handedOut.set(id, (this.handedOut.get(id) ?? 0) + 1);
    this.at('step taken');
  }

  /** Something has come to this point on behalf of the device. */
  at(point: string): void {
    if (this.#planned[0] !== point || this.#isStopped) return;
    this.#planned.shift();
    const { counts, random } = this.#parts;
    counts.cuts += 1;
    counts.cutsAt[point] = (counts.cutsAt[point] ?? 0) + 1;
    this.#cut(random() < 0.3 ? 'power' : 'link');
  }

  #plan(): void {
    const { random } = this.#parts;
    const { points } = kinds[this.#name];
    for (let left = random() < 0.5 ? 1 : 2; left > 0; left -= 1)
      this.#planned.push(points[Math.floor(random() * points.length)] ?? '');
  }

  async runStep(key: string, operations: GatewayOperations, finished: Map<string, () => void>) {
    if (this.#planned.length === 0) this.#plan();
    // Points of a connection that begins are reached by a new one only.
    if (['connected', 'claim sent', 'claim arrived'].includes(this.#planned[0] ?? '')) this.#cut();
    const steps = [{ kind: 'DeviceCommand' as const, command: 'append', input: key }];
    const id = await operations.run(this.#deviceId as Id<'device'>, { steps });
    const ended = Promise.withResolvers<void>();
    finished.set(id, ended.resolve);
    const found = await operations.get(id);
    if (found.summary.completedAt === undefined)
      await Promise.race([ended.promise, delay(stepTimeoutMs, undefined, { ref: false })]);
    finished.delete(id);
    this.#judge(key, id, await operations.get(id));
  }

  #judge(key: string, id: string, { summary, stepStates }: Found): void {
    const { counts } = this.#parts;
    const [step] = stepStates;
    counts.steps += 1;
    const how =
      `${this.#name}: ${step?.carrier ?? 'nothing'} ${summary.status} ${summary.outcome ?? ''}`.trim();
    counts.ends[how] = (counts.ends[how] ?? 0) + 1;
    const isGivenUp = (this.handedOut.get(id) ?? 0) >= 3 && summary.lastError?.includes('keep its ledger');
    if (isGivenUp === true && this.#name !== 'claims, ledger full') return void (counts.givenUp += 1);
    const known = this.#noted.get(key) ?? this.arrived.get(id);
    const what = `${key} ${how} ${summary.lastError ?? ''}`;
    if (known !== undefined && !isSame(known, step)) counts.lost.push(`${what}: ${JSON.stringify(known)}`);
    if (!this.#mayEnd(key, summary)) counts.wrong.push(what);
  }

  /** Whether a step may end so: what nobody interrupted succeeds or fails by its command. */
  #mayEnd(key: string, { status, outcome, lastError = '' }: Found['summary']): boolean {
    if (status === 'Succeeded' || lastError === `failed ${key}`) return true;
    if (this.#name === 'claims, ledger full') return lastError.includes('keep its ledger');
    return status === 'Failed' && (outcome === 'Interrupted' || outcome === 'Unknown');
  }
}

type Found = Awaited<ReturnType<GatewayOperations['get']>>;

function isSame(known: Result, step: Found['stepStates'][number] | undefined): boolean {
  const parts = ({ status, output, error }: typeof known) => JSON.stringify([status, output ?? null, error]);
  return step !== undefined && parts(step) === parts(known);
}

/** Tells devices what the hub does for them, and has some results meet a database that is away, before or after it has them. */
function hookHub(
  { hub: { executor } }: GatewayScene,
  devices: Map<string, CutDevice>,
  seed: number,
): () => void {
  const random = randomOf(seed + 1);
  const { execute, run } = executor;
  const ofOperations = new Map<string, CutDevice | undefined>();
  const faulty = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const chance = random();
    if (chance < 0.02) throw away();
    const answer = await work();
    if (chance < 0.04) throw away();
    return answer;
  };
  executor.execute = async (caller, name, input) => {
    const device = devices.get(caller.actor.actor === 'Device' ? caller.actor.deviceId : '');
    if (device === undefined) return execute(caller, name, input);
    if (name === 'devices_ReportOperationStep') {
      device.at('report arrived');
      const answer = await faulty(() => execute(caller, name, input));
      device.at('report recorded');
      return answer;
    }
    if (name === 'devices_ClaimOperationWork') device.at('claim arrived');
    const answer = await execute(caller, name, input);
    if (name === 'devices_ClaimOperationWork')
      for (const { deviceOperationId } of (answer as Claimed).work) device.takenBy(deviceOperationId);
    return answer;
  };
  executor.run = (async (...given: Parameters<typeof run>) => {
    const [, { name }, input] = given as [unknown, { name: string }, Record<string, never>];
    if (name === 'operations_TakeStep') {
      const taken = (await run(...given)) as Taken | undefined;
      const device = devices.get(String(input['deviceId']));
      if (taken?.operationId !== undefined) ofOperations.set(taken.operationId, device);
      if (taken !== undefined) device?.takenBy(taken.item?.deviceOperationId);
      return taken;
    }
    if (name !== 'operations_RecordChannelResult') return run(...given);
    const operationId = String(input['operationId']);
    const device = ofOperations.get(operationId);
    const result = input['result'] as (Result & { readonly outcome?: string }) | undefined;
    if (result !== undefined && result.outcome === undefined)
      device?.arrived.set(ids.deviceOperation.of(operationId), result);
    device?.at('result arrived');
    const answer = await faulty(() => run(...given) as Promise<unknown>);
    device?.at('result recorded');
    return answer;
  }) as typeof run;
  return () => void Object.assign(executor, { execute, run });
}

type Claimed = Output<'devices_ClaimOperationWork'>;
/** What the hub took: for a channel, or for a claim. */
interface Taken {
  readonly operationId?: string;
  readonly item?: Claimed['work'][number];
}
const away = () => new ActionError('NotReady', 'The database is not ready. Try again in a moment.');
