import { readFileSync } from 'node:fs';
import { deviceHeaders, prepareDevices, type BenchDevices } from './devices.ts';
import { startFleet, type Fleet } from './fleet.ts';
import type { OpenLoadResult } from './open-load.ts';
import { queriesOfPeople } from './query-load.ts';
import { barLine, type Line } from './table.ts';
import type { Testbed } from './testbed.ts';

const wantedCount = 15_000;
const processes = 3;
/** File descriptors that a hub needs besides those of devices. */
const otherFiles = 500;
const bars = { queryMs: 100, queryWhileReturningMs: 500, allBackMs: 60_000 };
const callsMs = 8_000;
const returningMs = 20_000;

/** Latency of queries while 15,000 devices are connected, and while all of them return after a restart, and how long that takes. */
export async function connections(testbed: Testbed): Promise<Line[]> {
  const count = Math.min(wantedCount, fileLimit() - otherFiles);
  const devices = await prepareDevices(testbed.user, count);
  const hub = await testbed.restart();
  const link = { url: hub.url, headers: deviceHeaders(devices), isPlainWebSocket: false };
  const fleet = await startFleet(link, devices.fingerprints, processes);
  await fleet.reached(count);
  const held = await queriesOfPeople(testbed, hub, devices, callsMs);
  if (fleet.openCount !== count)
    throw new Error(`Only ${fleet.openCount} of ${count} devices are connected.`);
  const back = await restart(testbed, fleet, devices);
  await fleet.stop();
  const many = count.toLocaleString('en-GB');
  const p50 = ({ p50Ms }: OpenLoadResult) => `p50 ${p50Ms.toFixed(1)} ms`;
  return [
    barLine({
      what: `${many} devices are connected: p99 of 200 queries a second (${p50(held)})`,
      unit: 'ms',
      ours: held.p99Ms,
      bar: bars.queryMs,
    }),
    barLine({
      what: `they return after a restart: the last is back (half after ${inSeconds(back.halfMs)}, 90 % after ${inSeconds(back.mostMs)})`,
      unit: 'ms',
      ours: back.lastMs,
      bar: bars.allBackMs,
    }),
    barLine({
      what: `p99 of the queries meanwhile (${p50(back.queries)})`,
      unit: 'ms',
      ours: back.queries.p99Ms,
      bar: bars.queryWhileReturningMs,
    }),
  ];
}

const inSeconds = (durationMs: number): string => `${(durationMs / 1_000).toFixed(1)} s`;

/** The limit of open files of a process. */
function fileLimit(): number {
  const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Number(limit);
}

interface Return {
  readonly halfMs: number;
  readonly mostMs: number;
  readonly lastMs: number;
  readonly queries: OpenLoadResult;
}

/** Restarts the hub while devices are connected; times are measured from when it is ready again. */
async function restart(testbed: Testbed, fleet: Fleet, devices: BenchDevices): Promise<Return> {
  const hub = await testbed.restart();
  const readyAt = Date.now();
  const count = devices.deviceIds.length;
  const since = async (share: number) => (await fleet.reached(Math.ceil(count * share))) - readyAt;
  const times = Promise.all([since(0.5), since(0.9), since(1)]);
  // Most devices return within the first half minute.
  const queries = await queriesOfPeople(testbed, hub, devices, returningMs);
  const [halfMs, mostMs, lastMs] = await times;
  return { halfMs, mostMs, lastMs, queries };
}
