import { request } from 'node:http';
import { ConnectError, openLink, Ticker } from '@corral/client';
import { abuses, httpAbuses } from '@corral/fuzz';
import { RpcClient, type MultiplexConnection } from '@corral/multiplex';
import type { AbuseCommand } from './abuse-process.ts';
import { administrator, type BenchHub } from './bench-hub.ts';
import { deviceHeaders, prepareDevices, type BenchDevices } from './devices.ts';
import { percentile } from './load.ts';
import {
  processorSecs,
  residentBytes,
  sleep,
  startProgram,
  yieldProcessors,
  type Program,
} from './processes.ts';
import type { Testbed } from './testbed.ts';
import { line, type Line } from './table.ts';

const goodDevices = 1_000;
const abusers = 100;
const callsPerSecond = 200;
/**
 * Each kind is measured in several rounds: without abuse, of the hub, and of a bare server beside the hub. The machine does not always have the same time for the hub, so the median of the
 * rounds is compared.
 */
const rounds = 7;
const windowMs = 3_000;
/** How long a kind goes on before it is measured, and how long the hub rests after it. */
const settleMs = 1_000;
/** How long all kinds go on together; the memory of the hub must end as it was after each kind alone. */
const mixedMs = 600_000;
const restMs = 30_000;

interface Window {
  /** How long each call took. */
  readonly tookMs: readonly number[];
  /** How much of a processor the hub takes, 0 to 1. */
  readonly hubShare: number;
}

type KindName = NonNullable<AbuseCommand['name']>;

/** The kinds that are measured alone: all, or those of CORRAL_BENCH_KINDS, with commas between them. */
const kindNames = Object.keys({ ...abuses, ...httpAbuses }) as KindName[];
const namedKinds = process.env['CORRAL_BENCH_KINDS']?.split(',');

/** What is measured: a thousand devices, and a program that abuses the hub or another server. */
interface Stage {
  readonly links: readonly GoodLink[];
  readonly program: Program;
  readonly hub: BenchHub;
  readonly command: AbuseCommand;
  /** Where the bare server is. */
  readonly bareUrl: string;
}

/** Latency of calls by well-behaved devices beside each kind of abuse alone, and beside all of them with the memory of the hub afterwards, compared with no abuse. */
export const abuseParts = {
  kinds: (testbed: Testbed): Promise<Line[]> =>
    onStage(testbed, async (stage) => {
      const lines: Line[] = [];
      const names = kindNames.filter((name) => namedKinds?.includes(name) !== false);
      for (const name of names) lines.push(...(await besideKind(stage, name)));
      return lines;
    }),
  mixed: (testbed: Testbed): Promise<Line[]> =>
    onStage(testbed, async (stage) => {
      const { program, command, links, hub } = stage;
      // Each kind leaves what the hub keeps for it in any case.
      for (const name of kindNames) await besides(program, { ...command, name }, () => sleep(windowMs));
      await sleep(restMs);
      const beforeBytes = residentBytes(hub.program.pid);
      const calm = await measure(links, windowMs);
      const { result } = await besides(program, command, () => measure(links, mixedMs));
      await sleep(restMs);
      return [
        latencyLine('all kinds', percentile(result, 0.99), percentile(calm, 0.99), withoutAbuse),
        memoryLine(beforeBytes, residentBytes(hub.program.pid)),
      ];
    }),
};

async function onStage(testbed: Testbed, work: (stage: Stage) => Promise<Line[]>): Promise<Line[]> {
  const devices = await prepareDevices(testbed.user, goodDevices + abusers);
  const hub = await testbed.restart();
  const ticker = new Ticker();
  const links = await connectGood(hub.url, devices, ticker);
  const program = startProgram('bench/src/abuse-process.ts');
  // Who abuses a hub does it from elsewhere: what the abusers themselves compute must not take time from hub and devices.
  yieldProcessors(program);
  const bare = startProgram('bench/src/anchors/bare-server.ts');
  const bareUrl = `http://127.0.0.1:${await bare.waitForLine(/listening (\d+)/)}`;
  await measure(links, windowMs);
  const { token, cookie, userId } = testbed.user;
  const headers = deviceHeaders(devices);
  const command: AbuseCommand = {
    url: hub.url,
    headers,
    fingerprints: devices.fingerprints.slice(goodDevices),
    who: {
      ...administrator,
      token,
      cookie,
      userId,
      deviceId: devices.deviceIds[0] ?? '',
      deviceHeaders: headers,
      deviceFingerprints: devices.fingerprints.slice(goodDevices),
    },
  };
  const lines = await work({ links, program, hub, command, bareUrl });
  await Promise.all([program.stop(), bare.stop()]);
  for (const link of links) link.connection.close('');
  for (const { connection } of links) ticker.remove(connection);
  return lines;
}

interface GoodLink {
  readonly connection: MultiplexConnection;
  readonly rpc: RpcClient;
}

async function connectGood(url: string, devices: BenchDevices, ticker: Ticker): Promise<GoodLink[]> {
  const links: GoodLink[] = [];
  const queue = devices.fingerprints.slice(0, goodDevices).values();
  const worker = async (): Promise<void> => {
    for (const fingerprint of queue) {
      const headers = { ...deviceHeaders(devices), 'x-device-fingerprint': fingerprint };
      const connection = await openWhenAdmitted({ hubUrl: url, headers, request });
      ticker.add(connection);
      links.push({ connection, rpc: new RpcClient(await connection.openChannel('executor')) });
    }
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  return links;
}

/** Opens a link; a hub that admits no more at present says when it will. */
async function openWhenAdmitted(options: Parameters<typeof openLink>[0]): Promise<MultiplexConnection> {
  for (;;) {
    try {
      return await openLink(options);
    } catch (error) {
      if (!(error instanceof ConnectError) || error.retryAfterMs === undefined) throw error;
      await sleep(error.retryAfterMs);
    }
  }
}

/** A kind of abuse beside calm, and beside the same abuse of a bare server at the rate that the hub let happen. */
async function besideKind({ links, program, hub, command, bareUrl }: Stage, name: KindName): Promise<Line[]> {
  const [calm, ofBare, ofHub]: [Window[], Window[], Window[]] = [[], [], []];
  const watch = async (): Promise<Window> => {
    const [startedAt, usedSecs] = [performance.now(), processorSecs(hub.program.pid)];
    const tookMs = await measure(links, windowMs);
    const usedMs = (processorSecs(hub.program.pid) - usedSecs) * 1_000;
    return { tookMs, hubShare: usedMs / (performance.now() - startedAt) };
  };
  const connections = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    calm.push(await watch());
    const run = await besides(program, { ...command, name }, watch);
    await sleep(settleMs);
    const perSecond = (Math.max(1, run.connections) * 1_000) / (settleMs + windowMs);
    const bareCommand = { ...command, name, url: bareUrl, perSecond };
    const bareRun = await besides(program, bareCommand, watch);
    await sleep(settleMs);
    ofHub.push(run.result);
    ofBare.push(bareRun.result);
    connections[0] = (connections[0] ?? 0) + run.connections;
    connections[1] = (connections[1] ?? 0) + bareRun.connections;
  }
  process.stderr.write(
    `${name}: p99 in ms and share of the hub: calm ${textOf(calm)}; beside a bare server ${textOf(ofBare)}; against the hub ${textOf(ofHub)}; ${connections.join(' and ')} connections of hub and bare server\n`,
  );
  const p99Ms = medianP99Of(ofHub);
  return [
    latencyLine(name, p99Ms, medianP99Of(calm), withoutAbuse),
    latencyLine(name, p99Ms, medianP99Of(ofBare), 'the same abuse of a bare server'),
  ];
}

function textOf(all: readonly Window[]): string {
  const one = (window: Window) =>
    `${percentile(window.tookMs, 0.99).toFixed(1)} ${(window.hubShare * 100).toFixed(0)} %`;
  return all.map(one).join(', ');
}

function medianP99Of(all: readonly Window[]): number {
  const ofEach = all.map(({ tookMs }) => percentile(tookMs, 0.99));
  return percentile(ofEach, 0.5);
}

/** Does work while the program abuses the hub. */
async function besides<Result>(
  program: Program,
  command: AbuseCommand,
  work: () => Promise<Result>,
): Promise<{ result: Result; connections: number }> {
  program.writeLine(JSON.stringify(command));
  await sleep(settleMs);
  const result = await work();
  program.writeLine('');
  const stopped = JSON.parse(await program.waitForLine(/stopped (.*)/)) as { connections: number };
  return { result, connections: stopped.connections };
}

const withoutAbuse = 'the same hub without it';

function latencyLine(kind: string, p99Ms: number, anchor: number, anchorName: string): Line {
  const figures = { ours: p99Ms, anchor, anchorName };
  return line({ what: `p99 of a call beside abuse: ${kind}`, unit: 'ms', ...figures }, { atMost: 1.2 });
}

function memoryLine(beforeBytes: number, afterBytes: number): Line {
  const figures = { ours: afterBytes / 1_048_576, anchor: beforeBytes / 1_048_576 };
  const what = 'memory of the hub after ten minutes of all kinds';
  return line({ what, unit: 'MiB', ...figures, anchorName: 'before them' }, { atMost: 1.05 });
}

/** Calls at a constant rate, without waiting for earlier answers; resolves with how long each took, in milliseconds. */
async function measure(links: readonly GoodLink[], durationMs: number): Promise<number[]> {
  const tookMs: number[] = [];
  const calls: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let count = 0; count * 1_000 < durationMs * callsPerSecond; count += 1) {
    const dueAt = startedAt + (count * 1_000) / callsPerSecond;
    const earlyMs = dueAt - performance.now();
    if (earlyMs > 0) await sleep(earlyMs);
    const rpc = links[count % links.length]?.rpc;
    // A timer may fire a fraction of a millisecond early.
    const sentAt = Math.min(dueAt, performance.now());
    calls.push(timed(() => rpc?.invoke('actor_GetActor', {}) ?? Promise.resolve(), sentAt, tookMs));
  }
  await Promise.all(calls);
  return tookMs;
}

async function timed(call: () => Promise<unknown>, sentAt: number, tookMs: number[]): Promise<void> {
  await call();
  tookMs.push(performance.now() - sentAt);
}
