import { request } from 'node:http';
import { openLink, Ticker } from '@corral/client';
import { abuses, type AbuseName } from '@corral/fuzz';
import { RpcClient, type MultiplexConnection } from '@corral/multiplex';
import type { AbuseOrder } from './abusers.ts';
import { deviceHeaders, prepareDevices, type BenchDevices } from './devices.ts';
import { pass, residentBytes, startProgram, type Program } from './processes.ts';
import type { Site } from './site.ts';
import { line, type Line } from './table.ts';

const goodDevices = 1_000;
const abusers = 100;
const callsPerSecond = 200;
const calmMs = 8_000;
const abuseMs = 5_000;

interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** How long good devices wait for answers while others abuse the hub, in each way alone and in all of them mixed, beside a calm hub. */
export async function abuse(site: Site): Promise<Line[]> {
  const devices = await prepareDevices(site.user, goodDevices + abusers);
  const hub = await site.restart();
  const ticker = new Ticker();
  const links = await connectGood(hub.url, devices, ticker);
  const program = startProgram('bench/src/abusers.ts');
  const calm = await measure(links, calmMs);
  const beforeBytes = residentBytes(hub.program.pid);
  const lines: Line[] = [];
  for (const names of [...(Object.keys(abuses) as AbuseName[]).map((name) => [name]), []]) {
    const order: AbuseOrder = {
      url: hub.url,
      headers: deviceHeaders(devices),
      fingerprints: devices.fingerprints.slice(goodDevices),
      names,
    };
    lines.push(await underAbuse(program, order, links, calm));
  }
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
      const connection = await openLink({ hubUrl: url, headers, request });
      ticker.add(connection);
      links.push({ connection, rpc: new RpcClient(await connection.openChannel('executor')) });
    }
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  return links;
}

async function underAbuse(
  program: Program,
  order: AbuseOrder,
  links: readonly GoodLink[],
  calm: Latency,
): Promise<Line> {
  program.tell(JSON.stringify(order));
  await pass(1_000);
  const { p50Ms, p99Ms } = await measure(links, abuseMs);
  program.tell('');
  const said = await program.said(/stopped (.*)/);
  const { connections, endings } = JSON.parse(said) as { connections: number; endings: number };
  const how = order.names.length === 0 ? 'mixed' : order.names.join();
  process.stderr.write(
    `${how}: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms; ${connections} connections, ${endings} of them ended by the hub\n`,
  );
  const what = `p99 of a call under abuse: ${how}`;
  return line({ what, unit: 'ms', ours: p99Ms, anchor: calm.p99Ms, anchorName: 'the same hub, calm' });
}

function memoryLine(beforeBytes: number, afterBytes: number): Line {
  const figures = { ours: afterBytes / 1_048_576, anchor: beforeBytes / 1_048_576 };
  const what = `memory of the hub after ${abusers} abusers`;
  return line({ what, unit: 'MiB', ...figures, anchorName: 'before them' });
}

/** Calls at a steady rate, whether or not answers come: who waits is not waited for. */
async function measure(links: readonly GoodLink[], durationMs: number): Promise<Latency> {
  const tookMs: number[] = [];
  const calls: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let count = 0; count * 1_000 < durationMs * callsPerSecond; count += 1) {
    const dueAt = startedAt + (count * 1_000) / callsPerSecond;
    if (dueAt > performance.now()) await pass(dueAt - performance.now());
    const rpc = links[count % links.length]?.rpc;
    calls.push(timed(() => rpc?.invoke('actor_GetActor', {}) ?? Promise.resolve(), dueAt, tookMs));
  }
  await Promise.all(calls);
  tookMs.sort((a, b) => a - b);
  const at = (share: number): number => tookMs[Math.floor(tookMs.length * share)] ?? Infinity;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function timed(call: () => Promise<unknown>, dueAt: number, tookMs: number[]): Promise<void> {
  await call();
  tookMs.push(performance.now() - dueAt);
}
