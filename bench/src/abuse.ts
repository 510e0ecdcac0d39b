import { request } from 'node:http';
import { ConnectError, openLink, Ticker } from '@corral/client';
import { abuses, httpAbuses } from '@corral/fuzz';
import { RpcClient, type MultiplexConnection } from '@corral/multiplex';
import type { AbuseCommand } from './abuse-process.ts';
import { administrator } from './bench-hub.ts';
import { deviceHeaders, prepareDevices, type BenchDevices } from './devices.ts';
import { sleep, residentBytes, startProgram, type Program } from './processes.ts';
import type { Testbed } from './testbed.ts';
import { line, type Line } from './table.ts';

const goodDevices = 1_000;
const abusers = 100;
const callsPerSecond = 200;
/** How long calls are measured without abuse before each kind, because the machine does not always have the same time for the hub. */
const calmMs = 4_000;
const abuseMs = 5_000;
/** How long all kinds go on together; the memory of the hub must end as it was after each kind alone. */
const mixedMs = 600_000;
const restMs = 30_000;

interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Latency of calls by well-behaved devices under each kind of abuse and under all of them, compared with no abuse. */
export async function abuse(testbed: Testbed): Promise<Line[]> {
  const devices = await prepareDevices(testbed.user, goodDevices + abusers);
  const hub = await testbed.restart();
  const ticker = new Ticker();
  const links = await connectGood(hub.url, devices, ticker);
  const program = startProgram('bench/src/abuse-process.ts');
  await measure(links, calmMs);
  const lines: Line[] = [];
  const { token, cookie, userId } = testbed.user;
  const { password } = administrator;
  const who = { token, cookie, userId, password, deviceId: devices.deviceIds[0] ?? '' };
  const names = Object.keys({ ...abuses, ...httpAbuses }) as NonNullable<AbuseCommand['name']>[];
  const command: AbuseCommand = {
    url: hub.url,
    headers: deviceHeaders(devices),
    fingerprints: devices.fingerprints.slice(goodDevices),
    who,
  };
  for (const name of names) lines.push(await underAbuse(program, { ...command, name }, links));
  await sleep(restMs);
  const beforeBytes = residentBytes(hub.program.pid);
  lines.push(await underAbuse(program, command, links));
  await sleep(restMs);
  lines.push(memoryLine(beforeBytes, residentBytes(hub.program.pid)));
  await program.stop();
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

async function underAbuse(
  program: Program,
  command: AbuseCommand,
  links: readonly GoodLink[],
): Promise<Line> {
  const calm = await measure(links, calmMs);
  program.writeLine(JSON.stringify(command));
  await sleep(1_000);
  const { p50Ms, p99Ms } = await measure(links, command.name === undefined ? mixedMs : abuseMs);
  program.writeLine('');
  const result = await program.waitForLine(/stopped (.*)/);
  const { connections, endings } = JSON.parse(result) as { connections: number; endings: number };
  const kind = command.name ?? 'mixed';
  process.stderr.write(
    `${kind}: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, before ${calm.p50Ms.toFixed(1)} and ${calm.p99Ms.toFixed(1)} ms; ${connections} connections, ${endings} of them closed by the hub\n`,
  );
  const what = `p99 of a call under abuse: ${kind}`;
  const figures = { ours: p99Ms, anchor: calm.p99Ms, anchorName: 'the same hub just before' };
  return line({ what, unit: 'ms', ...figures }, { atMost: 1.2 });
}

function memoryLine(beforeBytes: number, afterBytes: number): Line {
  const figures = { ours: afterBytes / 1_048_576, anchor: beforeBytes / 1_048_576 };
  const what = 'memory of the hub after ten minutes of all kinds';
  return line({ what, unit: 'MiB', ...figures, anchorName: 'before them' }, { atMost: 1.05 });
}

/** Calls at a constant rate, without waiting for earlier answers. */
async function measure(links: readonly GoodLink[], durationMs: number): Promise<Latency> {
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
  tookMs.sort((a, b) => a - b);
  const at = (share: number): number => tookMs[Math.floor(tookMs.length * share)] ?? Infinity;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function timed(call: () => Promise<unknown>, sentAt: number, tookMs: number[]): Promise<void> {
  await call();
  tookMs.push(performance.now() - sentAt);
}
