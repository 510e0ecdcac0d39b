import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { hubNames } from '@corral/tools';
import pg from 'pg';
import { signIn } from '../bench-hub.ts';
import { prepareDevices } from '../devices.ts';
import { httpCaller } from '../http-caller.ts';
import { load } from '../load.ts';
import { processorSecs } from '../processes.ts';
import { line, type Line } from '../table.ts';
import { onCluster, type ClusterTestbed } from './cluster-testbed.ts';
import { startFleet } from './fleet.ts';

const timing = { callers: 16, warmUpMs: 1_000, measureMs: 4_000 };
const rounds = 2;
/** So many that what they cost is more than what idle hubs do. */
const idleDevices = 1_000;
const idleMs = 20_000;

/** What the parts of a cluster have used for a call, or in a second. */
interface Used {
  readonly hubSecs: number;
  readonly databaseSecs: number;
  readonly natsSecs: number;
  readonly transactions: number;
}

interface CallFigures {
  readonly perSecond: number;
  /** For one call. */
  readonly used: Used;
}

/** Calls a second by one, two and three hubs, and what a call and a connected device cost each part: sizing.md computes larger clusters from it. */
export function moreHubs(): Promise<Line[]> {
  return onCluster(async (bed) => {
    const client = new pg.Client({ connectionString: bed.databaseUrl });
    await client.connect();
    try {
      const lines = [...(await linesOfCalls(bed, client)), ...(await linesOfDevices(bed, client))];
      return lines;
    } finally {
      await client.end();
    }
  });
}

type Call = (caller: number) => readonly [path: string, body: unknown];

async function linesOfCalls(bed: ClusterTestbed, client: pg.Client): Promise<Line[]> {
  const { deviceIds } = await prepareDevices(bed.user, timing.callers);
  const tokens = await newTokens(bed);
  const { projectId } = bed.user;
  const path = (name: string): string => `/api/v1/actions/invoke/${name}`;
  const kinds: Readonly<Record<string, Call>> = {
    query: () => [path('projects_GetProjectDetails'), { projectId }],
    command: (caller) => [
      path('devices_SetDeviceName'),
      { deviceId: deviceIds[caller], name: `device ${caller}` },
    ],
  };
  const lines: Line[] = [];
  for (const [kind, call] of Object.entries(kinds)) {
    const bySize: CallFigures[][] = [[], [], []];
    for (let round = 0; round < rounds; round += 1)
      for (const [at, figures] of bySize.entries())
        figures.push(await callsBy(bed, client, at + 1, tokens, call));
    const best = bySize.map(
      (figures) => figures.toSorted((a, b) => b.perSecond - a.perSecond)[0] as CallFigures,
    );
    lines.push(
      ...best.slice(1).map((figures, at) => moreLine(kind, at + 2, figures, best[0] as CallFigures)),
    );
    lines.push(...costLines(`a ${kind}`, best[0] as CallFigures, best[2] as CallFigures));
  }
  return lines;
}

const moreLine = (kind: string, hubs: number, ours: CallFigures, one: CallFigures): Line =>
  line({
    what: `${kind} over HTTP by ${hubs} hubs, ${timing.callers} callers`,
    unit: '/s',
    ours: ours.perSecond,
    anchor: one.perSecond,
    anchorName: 'by one hub of the same cluster',
  });

/** Processor time in three hubs beside that in one. */
function costLines(what: string, one: CallFigures, three: CallFigures): Line[] {
  const row = (part: string, unit: string, of: (used: Used) => number): Line =>
    line({
      what: `${what}: ${part}`,
      unit,
      ours: of(three.used),
      anchor: of(one.used),
      anchorName: 'by one hub',
    });
  return [
    row('hub', 'ms', ({ hubSecs }) => hubSecs * 1_000),
    row('PostgreSQL', 'ms', ({ databaseSecs }) => databaseSecs * 1_000),
    row('NATS', 'ms', ({ natsSecs }) => natsSecs * 1_000),
    row('transactions', '', ({ transactions }) => transactions),
  ];
}

/** A token for each caller, since the hubs limit the calls of one. */
async function newTokens(bed: ClusterTestbed): Promise<string[]> {
  const { executor } = await signIn(bed.url);
  const tokens: string[] = [];
  for (let caller = 0; caller < timing.callers; caller += 1) {
    const input = { userId: bed.user.userId, name: `caller ${caller}` };
    tokens.push((await executor.invoke('users_CreateUserToken', input)).token);
  }
  return tokens;
}

async function callsBy(
  bed: ClusterTestbed,
  client: pg.Client,
  hubs: number,
  tokens: readonly string[],
  call: Call,
): Promise<CallFigures> {
  const callers = tokens.map((token, at) =>
    httpCaller(bed.hubUrls[hubNames[at % hubs] ?? 'north'], { authorization: `Bearer ${token}` }, 1),
  );
  let made = 0;
  const before = await usedBy(bed, client);
  const { perSecond } = await load((at) => {
    made += 1;
    return callers[at]?.post(...call(at)) ?? Promise.reject(new Error('No such caller.'));
  }, timing);
  const after = await usedBy(bed, client);
  for (const caller of callers) caller.close();
  return { perSecond, used: shareOf(before, after, made) };
}

async function linesOfDevices(bed: ClusterTestbed, client: pg.Client): Promise<Line[]> {
  const alone = await idle(bed, client);
  const fleet = await startFleet(bed, idleDevices);
  await pause(5_000);
  const connected = await idle(bed, client);
  await fleet.stop();
  const row = (what: string, unit: string, of: (used: Used) => number): Line =>
    line({
      what: `${idleDevices} idle devices: ${what} a second`,
      unit,
      ours: of(connected),
      anchor: of(alone),
      anchorName: 'three hubs without devices',
    });
  return [
    row('hubs', 'ms', ({ hubSecs }) => hubSecs * 1_000),
    row('PostgreSQL', 'ms', ({ databaseSecs }) => databaseSecs * 1_000),
    row('transactions', '', ({ transactions }) => transactions),
  ];
}

/** What is used in a second without calls. */
async function idle(bed: ClusterTestbed, client: pg.Client): Promise<Used> {
  const before = await usedBy(bed, client);
  await pause(idleMs);
  return shareOf(before, await usedBy(bed, client), idleMs / 1_000);
}

/** What has been used until now: the seconds of each process, since those of PostgreSQL come and go with their connections. */
interface Reading {
  readonly hubs: ReadonlyMap<number, number>;
  readonly database: ReadonlyMap<number, number>;
  readonly nats: ReadonlyMap<number, number>;
  readonly transactions: number;
}

async function usedBy({ programs, databasePid }: ClusterTestbed, client: pg.Client): Promise<Reading> {
  const { rows } = await client.query<{ transactions: number }>(
    `select pg_stat_clear_snapshot(), sum(xact_commit + xact_rollback)::float8 as transactions from pg_stat_database`,
  );
  return {
    hubs: secsOf(hubNames.map((hub) => programs.pidOf(hub) ?? 0)),
    database: secsOf(processesOf(databasePid() ?? 0)),
    nats: secsOf([programs.pidOf('nats') ?? 0]),
    transactions: rows[0]?.transactions ?? 0,
  };
}

function secsOf(pids: readonly number[]): Map<number, number> {
  return new Map(pids.map((pid) => [pid, processorSecs(pid)]));
}

/** A process and its children. */
function processesOf(parent: number): number[] {
  const isChild = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === `${parent}`;
    } catch {
      return false;
    }
  };
  return [
    parent,
    ...readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && isChild(name))
      .map(Number),
  ];
}

function shareOf(before: Reading, after: Reading, count: number): Used {
  const secs = (part: 'hubs' | 'database' | 'nats'): number =>
    [...after[part]].reduce((sum, [pid, used]) => sum + used - (before[part].get(pid) ?? 0), 0) / count;
  return {
    hubSecs: secs('hubs'),
    databaseSecs: secs('database'),
    natsSecs: secs('nats'),
    transactions: (after.transactions - before.transactions) / count,
  };
}
