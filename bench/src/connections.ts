import { readFileSync } from 'node:fs';
import type { BenchHub } from './bench-hub.ts';
import { startFleet, type Fleet } from './fleet.ts';
import { deviceHeaders, prepareDevices } from './devices.ts';
import { httpCaller } from './http-caller.ts';
import { openLoad, type OpenLoadResult } from './open-load.ts';
import { startProgram } from './processes.ts';
import type { Testbed } from './testbed.ts';
import { line, type Line } from './table.ts';

const wantedCount = 15_000;
const processes = 3;
/** File descriptors that a hub needs besides those of devices. */
const otherFiles = 500;
const goals = { halfOfQueriesMs: 15, queryMs: 100, queryInStormMs: 250, reconnectMs: 60_000 };
const detailQueriesPerSecond = 200;
/** A lower rate, since a page reads a project's counts only once. */
const countQueriesPerSecond = 5;
const queryConnections = 32;
const callsMs = 8_000;

/** Query latency while 15,000 devices are connected, and how long all of them take to reconnect after a restart. */
export async function connections(testbed: Testbed): Promise<Line[]> {
  const count = Math.min(wantedCount, fileLimit() - otherFiles);
  const devices = await prepareDevices(testbed.user, count);
  const headers = deviceHeaders(devices);
  const details: QueryLoad = {
    perSecond: detailQueriesPerSecond,
    path: 'devices_GetDeviceDetails',
    // The step and the number of devices have no common divisor, so every query reads another device.
    input: (index) => ({ deviceId: devices.deviceIds[(index * 7_919) % count] }),
  };
  const counts: QueryLoad = {
    perSecond: countQueriesPerSecond,
    path: 'projects_GetProjectDetails',
    input: () => ({ projectId: testbed.user.projectId }),
  };
  const hub = await testbed.restart();
  const alone = await runQueries(testbed, hub, details, callsMs);
  const countAlone = await runQueries(testbed, hub, counts, callsMs);
  const fleet = await startFleet(
    { url: hub.url, headers, isPlainWebSocket: false },
    devices.fingerprints,
    processes,
  );
  await fleet.reached(count);
  const whileConnected = await runQueries(testbed, hub, details, callsMs);
  const countWhileConnected = await runQueries(testbed, hub, counts, callsMs);
  const allConnected = fleet.openCount === count;
  const reconnects = await restart(testbed, fleet, count, details);
  await fleet.stop();
  const anchorMs = await connectPlainWebSockets(headers, devices.fingerprints);
  return linesOf({
    count,
    allConnected,
    alone,
    countAlone,
    whileConnected,
    countWhileConnected,
    reconnects,
    anchorMs,
  });
}

interface Measured {
  readonly count: number;
  readonly allConnected: boolean;
  readonly alone: OpenLoadResult;
  readonly countAlone: OpenLoadResult;
  readonly whileConnected: OpenLoadResult;
  readonly countWhileConnected: OpenLoadResult;
  readonly reconnects: Reconnects;
  readonly anchorMs: number;
}

function linesOf({
  count,
  allConnected,
  alone,
  countAlone,
  whileConnected,
  countWhileConnected,
  reconnects,
  anchorMs,
}: Measured): Line[] {
  const many = count.toLocaleString('en-GB');
  const query = {
    what: `p99 of reading one device, ${detailQueriesPerSecond} a second, while ${many} are connected (p50 ${inMs(whileConnected.p50Ms)})`,
    unit: 'ms',
    ours: whileConnected.p99Ms,
    anchor: alone.p99Ms,
    anchorName: `the same hub without devices (p50 ${inMs(alone.p50Ms)})`,
  };
  const all = reconnectLine(many, reconnects, anchorMs);
  const meanwhile = {
    ...query,
    what: `p99 of the same while they reconnect (p50 ${inMs(reconnects.queries.p50Ms)})`,
    ours: reconnects.queries.p99Ms,
  };
  const countsLine = countQueryLine(many, countWhileConnected, countAlone);
  const isQuick = whileConnected.p50Ms <= goals.halfOfQueriesMs && whileConnected.p99Ms <= goals.queryMs;
  return [
    {
      ...line(query),
      goal: `${wantedCount.toLocaleString('en-GB')} connected, p50 ≤ ${goals.halfOfQueriesMs} and p99 ≤ ${goals.queryMs} ms`,
      isMet: allConnected && count >= wantedCount && isQuick,
    },
    line(countsLine),
    { ...line(all), goal: '≤ 60,000 ms', isMet: reconnects.lastMs <= goals.reconnectMs },
    {
      ...line(meanwhile),
      goal: `≤ ${goals.queryInStormMs} ms`,
      isMet: reconnects.queries.p99Ms <= goals.queryInStormMs,
    },
  ];
}

const reconnectLine = (many: string, { halfMs, mostMs, lastMs }: Reconnects, anchorMs: number) => ({
  what: `${many} devices reconnected after a restart (half in ${inSeconds(halfMs)}, 90 % in ${inSeconds(mostMs)})`,
  unit: 'ms',
  ours: lastMs,
  anchor: anchorMs,
  anchorName: 'as many plain ws connections at once',
});

const countQueryLine = (many: string, whileConnected: OpenLoadResult, alone: OpenLoadResult) => ({
  what: `p99 of reading a project's counts over ${many} connected devices, ${countQueriesPerSecond} a second`,
  unit: 'ms',
  ours: whileConnected.p99Ms,
  anchor: alone.p99Ms,
  anchorName: 'the same hub without devices connected',
});

const inMs = (durationMs: number): string => `${durationMs.toFixed(1)} ms`;
const inSeconds = (durationMs: number): string => `${(durationMs / 1_000).toFixed(1)} s`;

/** The limit of open files of a process. */
function fileLimit(): number {
  const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Number(limit);
}

/** A query at a constant rate. */
interface QueryLoad {
  readonly perSecond: number;
  readonly path: string;
  readonly input: (index: number) => unknown;
}

/** Latency of queries over HTTP; each is sent at its scheduled time, even if the hub is slow. */
async function runQueries(
  { user }: Testbed,
  hub: BenchHub,
  load: QueryLoad,
  measureMs: number,
): Promise<OpenLoadResult> {
  const caller = httpCaller(hub.url, { authorization: `Bearer ${user.token}` }, queryConnections);
  const call = (index: number) => caller.post(`/api/v1/actions/invoke/${load.path}`, load.input(index));
  const warmUpMs = Math.min(2_000, measureMs / 4);
  const result = await openLoad(call, { perSecond: load.perSecond, warmUpMs, measureMs });
  caller.close();
  return result;
}

interface Reconnects {
  readonly halfMs: number;
  readonly mostMs: number;
  readonly lastMs: number;
  readonly queries: OpenLoadResult;
}

/** Restarts the hub while devices are connected; times are measured from when it is ready again. */
async function restart(
  testbed: Testbed,
  fleet: Fleet,
  count: number,
  details: QueryLoad,
): Promise<Reconnects> {
  const hub = await testbed.restart();
  const readyAt = Date.now();
  const since = async (share: number) => (await fleet.reached(Math.ceil(count * share))) - readyAt;
  const times = Promise.all([since(0.5), since(0.9), since(1)]);
  // Most devices reconnect within the first half minute.
  const queries = await runQueries(testbed, hub, details, 20_000);
  const [halfMs, mostMs, lastMs] = await times;
  return { halfMs, mostMs, lastMs, queries };
}

async function connectPlainWebSockets(
  headers: Record<string, string>,
  names: readonly string[],
): Promise<number> {
  const server = startProgram('bench/src/anchors/web-socket-server.ts');
  const url = `ws://127.0.0.1:${await server.waitForLine(/listening (\d+)/)}`;
  const startedAt = performance.now();
  const fleet = await startFleet({ url, headers, isPlainWebSocket: true }, names, processes);
  const durationMs = performance.now() - startedAt;
  await fleet.stop();
  await server.stop();
  return durationMs;
}
