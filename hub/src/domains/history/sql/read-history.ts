import type { HistoryRange, Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { eventColumns } from './history-columns.ts';

const minuteSecs = 60;
const hourSecs = 3600;
const daySecs = 86_400;

/** What a range is read from, and how it is cut: steps of `stepSecs` of rows of `rowSecs`. */
export type HistoryCuts = Readonly<
  Record<HistoryRange, { readonly stepSecs: number; readonly rowSecs: number; readonly steps: number }>
>;

const ranges: HistoryCuts = {
  Day: { stepSecs: 5 * minuteSecs, rowSecs: minuteSecs, steps: 288 },
  Week: { stepSecs: hourSecs, rowSecs: hourSecs, steps: 7 * 24 },
  Month: { stepSecs: hourSecs, rowSecs: hourSecs, steps: 30 * 24 },
  Year: { stepSecs: daySecs, rowSecs: daySecs, steps: 365 },
};

/** The ranges of what is looked at once an hour. */
export const hourlyCuts: HistoryCuts = {
  Day: { stepSecs: hourSecs, rowSecs: hourSecs, steps: 24 },
  Week: { stepSecs: hourSecs, rowSecs: hourSecs, steps: 7 * 24 },
  Month: { stepSecs: 6 * hourSecs, rowSecs: hourSecs, steps: 30 * 4 },
  Year: { stepSecs: daySecs, rowSecs: daySecs, steps: 365 },
};

/** Whose history is read. */
export interface HistorySubject {
  readonly kind: 'Project' | 'Instance';
  /** The raw id of the project; nothing of the instance. */
  readonly subject: string;
}

/** The steps of a range up to now. */
export interface HistoryFrame {
  readonly fromMs: number;
  readonly stepSecs: number;
  readonly rowSecs: number;
  /** The end of what is recorded by now if a hub is there. */
  readonly untilMs: number;
  readonly count: number;
}

/** Cuts a range into steps that begin at whole hours or days in UTC, or every five minutes. The last one is the present one, as far as it has passed. */
export function frameOf(range: HistoryRange, now: Date, cuts = ranges): HistoryFrame {
  const { stepSecs, rowSecs, steps } = cuts[range];
  const stepMs = stepSecs * 1000;
  // The minute before the present one may not be recorded yet.
  const untilMs = (Math.floor(now.getTime() / 60_000) - 1) * 60_000;
  const endMs = Math.ceil(untilMs / stepMs) * stepMs;
  return { fromMs: endMs - steps * stepMs, stepSecs, rowSecs, untilMs, count: steps };
}

interface StepRow {
  /** Counted from 0. */
  readonly step: number;
  readonly connected: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly disconnected: number | null;
  readonly waiting: number | null;
  readonly users: number | null;
  readonly projects: number | null;
  readonly storedBytes: number | null;
  readonly events: readonly (number | null)[];
  readonly inventedUntil: string | null;
}

const severities = Object.keys(eventColumns) as (keyof typeof eventColumns)[];

/** The columns of a history in a frame, and those that only the instance has. */
export async function readHistory(
  tx: Database,
  { kind, subject }: HistorySubject,
  frame: HistoryFrame,
): Promise<{ readonly steps: History; readonly ofInstance: InstanceHistory }> {
  const sums = Object.values(eventColumns).map((column) => sql`sum(${sql.ref(column)})`);
  const { rows } = await sql<StepRow>`
    select ${stepIn(frame)} as step, ${last('connected')} as connected, min(connected_low) as low, max(connected_high) as high,
      ${last('disconnected')} as disconnected, ${last('waiting')} as waiting, ${last('users')} as users, ${last('projects')} as projects,
      ${last('stored_bytes')} as "storedBytes", array[${sql.join(sums)}]::float8[] as events,
      max(invented_until) as "inventedUntil"
    from history where kind = ${kind} and subject = ${subject} and ${isIn(frame)} group by 1`.execute(tx);
  const watch = await readWatch(tx, frame);
  const ofStep = new Map(rows.map((row) => [row.step, row]));
  /** A hub that was there and recorded nothing saw nothing. */
  const column = (valueOf: (row: StepRow) => number | null) =>
    watch.watched.map((share, step) => {
      const row = ofStep.get(step);
      return share === 0 ? null : ((row && valueOf(row)) ?? 0);
    });
  const inventedUntil = rows.find((row) => row.inventedUntil !== null)?.inventedUntil ?? undefined;
  const steps = {
    ...(inventedUntil === undefined ? {} : { inventedUntil }),
    from: new Date(frame.fromMs).toISOString(),
    stepSeconds: frame.stepSecs,
    ...watch,
    connected: column(({ connected }) => connected),
    connectedLow: column(({ low }) => low),
    connectedHigh: column(({ high }) => high),
    disconnected: column(({ disconnected }) => disconnected),
    waiting: column(({ waiting }) => waiting),
    events: Object.fromEntries(
      severities.map((severity, index) => [
        severity,
        watch.watched.map((_, step) => ofStep.get(step)?.events[index] ?? 0),
      ]),
    ) as History['events'],
  };
  const ofInstance = {
    users: column(({ users }) => users),
    projects: column(({ projects }) => projects),
    storedBytes: column(({ storedBytes }) => storedBytes),
  };
  return { steps, ofInstance };
}

type History = Output<'projects_QueryHistory'>;
type InstanceHistory = Pick<Output<'instance_QueryHistory'>, 'users' | 'projects' | 'storedBytes'>;

/** How many nodes are read, those that were there last. */
const maxNodes = 50;

/** The lines of the nodes in a frame, by name. */
export async function readNodes(
  tx: Database,
  frame: HistoryFrame,
): Promise<Output<'instance_QueryHistory'>['nodes']> {
  interface NodeRow {
    readonly name: string;
    readonly steps: number[];
    readonly connections: (number | null)[];
    readonly memoryBytes: (number | null)[];
    readonly load: (number | null)[];
  }
  const { rows } = await sql<NodeRow>`
    select * from (
      select name, array_agg(step) as steps, array_agg(connections) as connections, array_agg(memory_bytes)::float8[] as "memoryBytes", array_agg(load)::float8[] as load
      from (
        select subject as name, ${stepIn(frame)} as step, ${last('connected')} as connections, ${last('memory_bytes')} as memory_bytes, ${last('load')} as load
        from history where kind = 'Node' and ${isIn(frame)} group by 1, 2
      ) as n group by name order by max(step) desc, name limit ${maxNodes}
    ) as newest order by name`.execute(tx);
  return rows.map(({ name, steps, ...columns }) => {
    const placeOf = new Map(steps.map((step, place) => [step, place]));
    const column = (values: readonly (number | null)[]) =>
      Array.from({ length: frame.count }, (_, step) => values[placeOf.get(step) ?? -1] ?? null);
    return {
      name,
      connections: column(columns.connections),
      memoryBytes: column(columns.memoryBytes),
      load: column(columns.load),
    };
  });
}

/** SQL for the step of a row, counted from 0. */
export const stepIn = ({ fromMs, stepSecs }: HistoryFrame) =>
  sql<number>`floor(extract(epoch from at - ${new Date(fromMs)}::timestamptz) / ${stepSecs})::integer`;
/** SQL for whether a row is of the frame. */
export const isIn = ({ fromMs, untilMs, rowSecs }: HistoryFrame) =>
  sql<boolean>`step_secs = ${rowSecs} and at >= ${new Date(fromMs)} and at < ${new Date(untilMs)}`;
/** SQL for the last figure of a step. */
export const last = (column: keyof Tables['history']) =>
  sql`(array_agg(${sql.ref(column)} order by at desc) filter (where ${sql.ref(column)} is not null))[1]`;

/** When hubs were there, by the rows of the instance. */
async function readWatch(tx: Database, frame: HistoryFrame): Promise<Pick<History, 'watched' | 'gaps'>> {
  const { fromMs, untilMs, stepSecs, rowSecs, count } = frame;
  const { rows } = await sql<{ at: string; watched: number }>`
    select at, watched_secs as watched from history
    where kind = 'Instance' and subject = '' and ${isIn(frame)} and watched_secs is not null order by at`.execute(
    tx,
  );
  const { rows: known } = await sql<{ at: string }>`
    select at from history where kind = 'Instance' and subject = '' and step_secs = ${rowSecs} and watched_secs is not null
    order by at limit 1`.execute(tx);
  const ofRow = new Map(rows.map(({ at, watched }) => [Date.parse(at), watched]));
  const watched = Array.from({ length: count }, () => 0);
  for (const [atMs, secs] of ofRow) {
    const step = Math.floor((atMs - fromMs) / 1000 / stepSecs);
    watched[step] = (watched[step] ?? 0) + secs;
  }
  const passed = (beginMs: number, secs: number) => Math.min(secs, (untilMs - beginMs) / 1000);
  return {
    watched: watched.map((secs, step) =>
      Math.min(1, secs / passed(fromMs + step * stepSecs * 1000, stepSecs)),
    ),
    // A hub begins within its first row.
    gaps:
      known[0] === undefined
        ? []
        : gapsOf(ofRow, Math.max(fromMs, Date.parse(known[0].at) + rowSecs * 1000), frame, passed),
  };
}

/** The times of rows of which hubs were there for less than half, after the first record. */
function gapsOf(
  ofRow: ReadonlyMap<number, number>,
  firstMs: number,
  { untilMs, rowSecs }: HistoryFrame,
  passed: (beginMs: number, secs: number) => number,
): History['gaps'] {
  const gaps: { from: string; to: string }[] = [];
  let fromMs: number | undefined;
  for (let atMs = firstMs; atMs < untilMs; atMs += rowSecs * 1000) {
    const isAway = (ofRow.get(atMs) ?? 0) * 2 < passed(atMs, rowSecs);
    if (isAway) fromMs ??= atMs;
    else if (fromMs !== undefined) {
      gaps.push({ from: new Date(fromMs).toISOString(), to: new Date(atMs).toISOString() });
      fromMs = undefined;
    }
  }
  return gaps;
}
