import { readFileSync } from 'node:fs';
import type { BenchHub } from './bench-hub.ts';
import { startCrowd, type Crowd } from './crowd.ts';
import { deviceHeaders, prepareDevices } from './devices.ts';
import { httpCaller } from './http-caller.ts';
import { openLoad, type OpenLoadResult } from './open-load.ts';
import { startProgram } from './processes.ts';
import type { Site } from './site.ts';
import { line, type Line } from './table.ts';

const wantedCount = 15_000;
const processes = 3;
/** What a hub needs of its file limit besides devices. */
const otherFiles = 500;
const goals = { halfOfQueriesMs: 15, queryMs: 100, queryInStormMs: 250, reconnectMs: 60_000 };
const looksPerSecond = 200;
/** Counting a whole project's devices is what its page asks once, not what is asked all day. */
const countsPerSecond = 5;
const questionConnections = 32;
const callsMs = 8_000;

/** How quick a hub is that holds as many devices as it is made for, and how soon they are all back when it has restarted. */
export async function connections(site: Site): Promise<Line[]> {
  const count = Math.min(wantedCount, fileLimit() - otherFiles);
  const devices = await prepareDevices(site.user, count);
  const headers = deviceHeaders(devices);
  const look: Question = {
    perSecond: looksPerSecond,
    path: 'devices_GetDeviceDetails',
    // A step that is no divisor of their number, so that every query looks at another one.
    input: (index) => ({ deviceId: devices.deviceIds[(index * 7_919) % count] }),
  };
  const countAll: Question = {
    perSecond: countsPerSecond,
    path: 'projects_GetProjectDetails',
    input: () => ({ projectId: site.user.projectId }),
  };
  const hub = await site.restart();
  const alone = await ask(site, hub, look, callsMs);
  const countAlone = await ask(site, hub, countAll, callsMs);
  const crowd = await startCrowd({ url: hub.url, headers, isBare: false }, devices.fingerprints, processes);
  await crowd.reached(count);
  const whileHeld = await ask(site, hub, look, callsMs);
  const countWhileHeld = await ask(site, hub, countAll, callsMs);
  const isHeld = crowd.openCount === count;
  const back = await comeBack(site, crowd, count, look);
  await crowd.stop();
  const bareMs = await bareConnects(headers, devices.fingerprints);
  return linesOf({ count, isHeld, alone, countAlone, whileHeld, countWhileHeld, back, bareMs });
}

interface Measured {
  readonly count: number;
  readonly isHeld: boolean;
  readonly alone: OpenLoadResult;
  readonly countAlone: OpenLoadResult;
  readonly whileHeld: OpenLoadResult;
  readonly countWhileHeld: OpenLoadResult;
  readonly back: Return;
  readonly bareMs: number;
}

function linesOf({
  count,
  isHeld,
  alone,
  countAlone,
  whileHeld,
  countWhileHeld,
  back,
  bareMs,
}: Measured): Line[] {
  const many = count.toLocaleString('en-GB');
  const held = {
    what: `p99 of a look at one device, ${looksPerSecond} a second, while ${many} are connected (p50 ${inMs(whileHeld.p50Ms)})`,
    unit: 'ms',
    ours: whileHeld.p99Ms,
    anchor: alone.p99Ms,
    anchorName: `the same hub without devices (p50 ${inMs(alone.p50Ms)})`,
  };
  const all = {
    what: `${many} devices back after a restart (half in ${inSeconds(back.halfMs)}, 90 % in ${inSeconds(back.mostMs)})`,
    unit: 'ms',
    ours: back.lastMs,
    anchor: bareMs,
    anchorName: 'as many bare ws connections at once',
  };
  const meanwhile = {
    ...held,
    what: `p99 of such looks while they come back (p50 ${inMs(back.looks.p50Ms)})`,
    ours: back.looks.p99Ms,
  };
  const counts = {
    what: `p99 of a project's counts over ${many} connected devices, ${countsPerSecond} a second`,
    unit: 'ms',
    ours: countWhileHeld.p99Ms,
    anchor: countAlone.p99Ms,
    anchorName: 'the same hub without devices connected',
  };
  const isQuick = whileHeld.p50Ms <= goals.halfOfQueriesMs && whileHeld.p99Ms <= goals.queryMs;
  return [
    {
      ...line(held),
      goal: `${wantedCount.toLocaleString('en-GB')} held, p50 ≤ ${goals.halfOfQueriesMs} and p99 ≤ ${goals.queryMs} ms`,
      isMet: isHeld && count >= wantedCount && isQuick,
    },
    line(counts),
    { ...line(all), goal: '≤ 60,000 ms', isMet: back.lastMs <= goals.reconnectMs },
    {
      ...line(meanwhile),
      goal: `≤ ${goals.queryInStormMs} ms`,
      isMet: back.looks.p99Ms <= goals.queryInStormMs,
    },
  ];
}

const inMs = (durationMs: number): string => `${durationMs.toFixed(1)} ms`;
const inSeconds = (durationMs: number): string => `${(durationMs / 1_000).toFixed(1)} s`;

/** How many files a process may have open. */
function fileLimit(): number {
  const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Number(limit);
}

/** What is asked of a hub, so many times a second. */
interface Question {
  readonly perSecond: number;
  readonly path: string;
  readonly input: (index: number) => unknown;
}

/** How long the answers take over HTTP; the questions are asked at their times, however slow the hub is. */
async function ask(
  { user }: Site,
  hub: BenchHub,
  question: Question,
  measureMs: number,
): Promise<OpenLoadResult> {
  const caller = httpCaller(hub.url, { authorization: `Bearer ${user.token}` }, questionConnections);
  const call = (index: number) =>
    caller.post(`/api/v1/actions/invoke/${question.path}`, question.input(index));
  const warmUpMs = Math.min(2_000, measureMs / 4);
  const result = await openLoad(call, { perSecond: question.perSecond, warmUpMs, measureMs });
  caller.close();
  return result;
}

interface Return {
  readonly halfMs: number;
  readonly mostMs: number;
  readonly lastMs: number;
  readonly looks: OpenLoadResult;
}

/** Restarts the hub under its devices; times count from when it is ready again. */
async function comeBack(site: Site, crowd: Crowd, count: number, look: Question): Promise<Return> {
  const hub = await site.restart();
  const readyAt = Date.now();
  const since = async (share: number) => (await crowd.reached(Math.ceil(count * share))) - readyAt;
  const times = Promise.all([since(0.5), since(0.9), since(1)]);
  // Most of them come within the first half minute.
  const looks = await ask(site, hub, look, 20_000);
  const [halfMs, mostMs, lastMs] = await times;
  return { halfMs, mostMs, lastMs, looks };
}

async function bareConnects(headers: Record<string, string>, names: readonly string[]): Promise<number> {
  const bare = startProgram('bench/src/anchors/bare-web-sockets.ts');
  const url = `ws://127.0.0.1:${await bare.said(/listening (\d+)/)}`;
  const startedAt = performance.now();
  const crowd = await startCrowd({ url, headers, isBare: true }, names, processes);
  const durationMs = performance.now() - startedAt;
  await crowd.stop();
  await bare.stop();
  return durationMs;
}
