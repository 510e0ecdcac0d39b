import { readFileSync } from 'node:fs';
import type { BenchHub } from './bench-hub.ts';
import { startCrowd, type Crowd } from './crowd.ts';
import { prepareDevices } from './devices.ts';
import { httpCaller } from './http-caller.ts';
import { load } from './load.ts';
import { startProgram } from './processes.ts';
import type { Site } from './site.ts';
import { line, type Line } from './table.ts';

const wantedCount = 15_000;
const processes = 3;
/** What a hub needs of its file limit besides devices. */
const otherFiles = 500;
const goals = { queryMs: 100, reconnectMs: 60_000 };
const callers = 4;
const callsMs = 8_000;

/** How quick a hub is that holds as many devices as it is made for, and how soon they are all back when it has restarted. */
export async function connections(site: Site): Promise<Line[]> {
  const count = Math.min(wantedCount, fileLimit() - otherFiles);
  const devices = await prepareDevices(site.user, count);
  const headers = {
    authorization: `Bearer ${devices.token}`,
    'x-deployment-token': devices.token,
    'x-register-connection': 'true',
    'x-client-cert': devices.certificateHeader,
  };
  const hub = await site.restart();
  const aloneMs = await queriesFor(site, hub, callsMs);
  const crowd = await startCrowd({ url: hub.url, headers, isBare: false }, devices.fingerprints, processes);
  await crowd.reached(count);
  const heldMs = await queriesFor(site, hub, callsMs);
  const isHeld = crowd.openCount === count;
  const back = await comeBack(site, crowd, count);
  await crowd.stop();
  const bareMs = await bareConnects(headers, devices.fingerprints);
  const many = count.toLocaleString('en-GB');
  const held = {
    what: `p99 of a query while ${many} devices are connected`,
    unit: 'ms',
    ours: heldMs,
    anchor: aloneMs,
    anchorName: 'the same hub without devices',
  };
  const all = {
    what: `${many} devices back after a restart (half in ${inSeconds(back.halfMs)}, 90 % in ${inSeconds(back.mostMs)})`,
    unit: 'ms',
    ours: back.lastMs,
    anchor: bareMs,
    anchorName: 'as many bare ws connections at once',
  };
  const meanwhile = { ...held, what: 'p99 of a query while they come back', ours: back.queryMs };
  return [
    {
      ...line(held),
      goal: `${wantedCount.toLocaleString('en-GB')} held and ≤ ${goals.queryMs} ms`,
      isMet: isHeld && count >= wantedCount && heldMs <= goals.queryMs,
    },
    { ...line(all), goal: '≤ 60,000 ms', isMet: back.lastMs <= goals.reconnectMs },
    line(meanwhile),
  ];
}

const inSeconds = (durationMs: number): string => `${(durationMs / 1_000).toFixed(1)} s`;

/** How many files a process may have open. */
function fileLimit(): number {
  const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Number(limit);
}

/** The slowest of the quickest 99 % of queries over HTTP, in milliseconds. */
async function queriesFor(site: Site, hub: BenchHub, measureMs: number): Promise<number> {
  const caller = httpCaller(hub.url, { authorization: `Bearer ${site.user.token}` }, callers);
  const input = { projectId: site.user.projectId };
  const call = () => caller.post('/api/v1/actions/invoke/projects_GetProjectDetails', input);
  const { p99Ms } = await load(call, { callers, warmUpMs: Math.min(2_000, measureMs / 4), measureMs });
  caller.close();
  return p99Ms;
}

interface Return {
  readonly halfMs: number;
  readonly mostMs: number;
  readonly lastMs: number;
  readonly queryMs: number;
}

/** Restarts the hub under its devices; times count from when it is ready again. */
async function comeBack(site: Site, crowd: Crowd, count: number): Promise<Return> {
  const hub = await site.restart();
  const readyAt = Date.now();
  const since = async (share: number) => (await crowd.reached(Math.ceil(count * share))) - readyAt;
  const times = Promise.all([since(0.5), since(0.9), since(1)]);
  // Most of them come within the first half minute.
  const queryMs = await queriesFor(site, hub, 20_000);
  const [halfMs, mostMs, lastMs] = await times;
  return { halfMs, mostMs, lastMs, queryMs };
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
