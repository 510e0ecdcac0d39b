import { type AlertCondition, deviceFields, flagOf, parseFilter, testsOf } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { deviceLabel, isConnected, readDeviceFilter } from '../../devices/index.ts';
import { awayOf, reconnectSecs } from './away.ts';
import { foundEvents } from './found-events.ts';
import { foundOfHub } from './found-of-hub.ts';
import { foundOperations } from './found-operations.ts';
import { foundQuotas } from './found-quotas.ts';

/** What a condition is looked up with. */
export interface Sought {
  /** The raw id; undefined for the instance. */
  readonly projectId: string | undefined;
  readonly condition: AlertCondition;
  readonly now: Date;
  /** The database outside of the transaction. */
  readonly db: Database;
  /** Of Events: after when those were received that are looked for; by default within the last 15 minutes. */
  readonly receivedAfter?: Date | undefined;
}

/** What a condition finds. */
export interface Found {
  /**
   * SQL that selects `subject text`, `name text`, `since timestamptz`, `fires_at timestamptz` and `seen_at timestamptz`: what it is about, when it began, when it has been so for
   * long enough, and of Events when the last one came.
   */
  readonly select: RawBuilder<unknown>;
  /** Whether time in which no hub could see devices counts. `Clock`: it does not. `Window`: neither does the time in which devices come back after it. */
  readonly blindness: 'None' | 'Clock' | 'Window';
}

/** SQL of what a condition finds now. Throws a `FilterError` of kind Invalid for a filter with a mistake. */
export async function foundSubjects(tx: Database, sought: Sought): Promise<Found> {
  const { condition, projectId } = sought;
  if (condition.kind === 'Hub')
    return { select: await foundOfHub(tx, condition.percent, sought.now), blindness: 'None' };
  if (projectId === undefined) return { select: nothing, blindness: 'None' };
  const of = { ...sought, projectId };
  switch (condition.kind) {
    case 'Offline':
      return { select: offline(of, condition.forSecs, await passes(tx, of)), blindness: 'Window' };
    case 'Missing':
      return { select: missing(of, condition, await passes(tx, of)), blindness: 'Clock' };
    case 'Matching':
      return {
        select: matching(of, condition.forSecs, await passes(tx, of)),
        blindness: looksAtConnections(condition.filter) ? 'Window' : 'None',
      };
    case 'Events':
      return { select: foundEvents(of, condition.severity, await passes(tx, of)), blindness: 'None' };
    case 'Operations':
      return { select: foundOperations(of, condition.percent), blindness: 'None' };
    case 'Quota':
      return { select: await foundQuotas(tx, of, condition.percent), blindness: 'None' };
  }
}

const nothing = sql`select null::text as subject, null::text as name, null::timestamptz as since, null::timestamptz as fires_at, null::timestamptz as seen_at where false`;

type OfProject = Sought & { readonly projectId: string };

/** The condition that a device `d` is in the project and passes the filter of the condition. */
async function passes(
  tx: Database,
  { condition, projectId, now, db }: OfProject,
): Promise<RawBuilder<boolean>> {
  const text = 'filter' in condition ? condition.filter : undefined;
  const filter = await readDeviceFilter(tx, text, { projectId, now, db });
  return sql<boolean>`(d.project_id = ${projectId} and ${filter?.inSets ?? sql`true`})`;
}

const connectionFields: ReadonlySet<string> = new Set([
  'connected',
  'status',
  'offline',
  'uptime',
  'node',
  'flapping',
  'silent',
]);

/** Whether a filter asks for what only a hub that is there sees. */
function looksAtConnections(filterText: string): boolean {
  const filter = parseFilter(filterText, flagOf(deviceFields));
  return (
    filter !== undefined &&
    testsOf(filter).some((test) => test.kind !== 'text' && connectionFields.has(test.field))
  );
}

/** Devices that never connected have not left. */
function offline({ now }: OfProject, forSecs: number, isWanted: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    select d.device_id as subject, ${deviceLabel} as name, a.left_at as since,
      a.left_at + make_interval(secs => ${forSecs} + case when a.is_by_hub then ${sql.lit(reconnectSecs)} else 0 end) as fires_at,
      null::timestamptz as seen_at
    from devices d cross join lateral ${awayOf(now, forSecs + reconnectSecs)} as a
    where d.last_seen_at is not null and (${isConnected(now)}) is not true and ${isWanted}`;
}

/** In a reconnect window it finds what it finds: one message says that a fleet does not come back. */
function missing(
  { now }: OfProject,
  { percent, forSecs }: Extract<AlertCondition, { kind: 'Missing' }>,
  isWanted: RawBuilder<boolean>,
): RawBuilder<unknown> {
  return sql`
    select '' as subject, c.away || ' of ' || c.devices || ' devices' as name, ${now}::timestamptz as since,
      ${now}::timestamptz + make_interval(secs => ${forSecs}) as fires_at, null::timestamptz as seen_at
    from (
      select count(*) as devices, count(*) filter (where (${isConnected(now)}) is not true) as away
      from devices d where d.last_seen_at is not null and ${isWanted}
    ) as c where c.devices > 0 and c.away * 100 >= ${percent}::int * c.devices`;
}

function matching({ now }: OfProject, forSecs: number, isWanted: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    select d.device_id as subject, ${deviceLabel} as name, ${now}::timestamptz as since,
      greatest(${now}::timestamptz, case when a.is_by_hub and (${isConnected(now)}) is not true then a.left_at + make_interval(secs => ${sql.lit(reconnectSecs)}) end)
        + make_interval(secs => ${forSecs}) as fires_at,
      null::timestamptz as seen_at
    from devices d cross join lateral ${awayOf(now, reconnectSecs)} as a where ${isWanted}`;
}
