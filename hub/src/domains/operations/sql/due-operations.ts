import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { liveConnection } from '../../devices/index.ts';
import { isInWindow } from './operations.ts';
import { connectionEnded, versionsOf } from './steps.ts';

/** How long an operation by itself waits for its device, in seconds: a week. */
const deliverWithinSecs = 7 * 86_400;
/** Of each kind of due operations; the next tick finds the rest. */
const foundAtOnce = 500;
/** A wait is evaluated so often even if no change of its device was noticed, in seconds. */
const recheckSecs = 60;
/** So long after the end of a connection the node that held it has recorded what it knows of a channel, in seconds. */
const channelGraceSecs = 15;

const secondsBefore = (now: Date, secs: number): RawBuilder<unknown> =>
  sql`${now}::timestamptz - make_interval(secs => ${secs})`;

/** SQL for when the time of the step `s` ends. The clock of one that the hub holds back outside the window of its operation on a fleet `f` begins with the window. */
const deadline = sql`greatest(s.started_at, f.resumed_at,
  case when s.carrier is null and s.kind in ('DeviceCommand', 'DeviceTask') then f.window_opens_at end) + make_interval(secs => s.timeout_secs)`;

/** SQL for whether a connection over which a command runs ended, or its row is no longer kept, so long ago that nobody records its result. */
const isChannelLost = (
  now: Date,
  connectionId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`coalesce(
  (select coalesce(c.ended_at, n.lease_until) < ${secondsBefore(now, channelGraceSecs)}
    from device_connections c left join cluster_nodes n using (node_id) where c.connection_id = ${connectionId}),
  ${connectionId} is not null)`;

/** The running operations that may go on, with their current step as `s` and the start of its clock; null where it has not begun. Installs that are paused go on with their waits only, whose clocks stand still. */
const running = (now: Date) => sql`
  select o.device_operation_id, o.device_id, s.status, s.kind, s.carrier, s.checked_at, s.waits_for, s.seen_versions, s.connection_id,
    coalesce(f.status = 'Paused', false) as is_paused,
    (f.status is distinct from 'Paused' and ${isInWindow(now)})
      or (s.status is null and coalesce(o.steps, f.steps) -> o.step_index ->> 'kind' = 'WaitForDeviceProperty') as may_begin,
    case when f.status is distinct from 'Paused' then ${deadline} end as deadline
  from device_operations o left join fleet_operations f using (fleet_operation_id)
    left join device_operation_steps s on s.device_operation_id = o.device_operation_id and s.step_index = o.step_index
  where o.status = 'Running' and (o.fleet_operation_id is null or f.status = 'Running'
    or (f.status = 'Paused' and coalesce(o.installs_version, f.installs_version) is not null))`;

/** Finds operations that may go on, by their raw ids: ended times, channels whose connection ended, steps that have not begun, ended waits, steps of cancelled operations that nobody ends, and operations that begin or are not delivered. */
export async function findDueOperations(tx: Database, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with r as materialized (${running(now)})
    (select r.device_operation_id as id from r where (r.status is null and r.may_begin) or r.deadline <= ${now}
      or (r.carrier = 'Channel' and not r.is_paused and ${isChannelLost(now, sql`r.connection_id`)})
      order by r.deadline limit ${sql.lit(foundAtOnce)})
    union all
    (select r.device_operation_id from r where r.kind = 'WaitForDeviceProperty' and (r.checked_at <= ${secondsBefore(now, recheckSecs)}
        or r.seen_versions is distinct from ${versionsOf(sql`r.device_id`, sql`r.waits_for`)})
      order by r.checked_at limit ${sql.lit(foundAtOnce)})
    union all
    (select s.device_operation_id from device_operation_steps s join device_operations o using (device_operation_id)
        left join fleet_operations f using (fleet_operation_id)
      where s.status = 'Running' and o.status = 'Cancelled' and ${deadline} <= ${now}
      limit ${sql.lit(foundAtOnce)})
    union all
    (select device_operation_id from (
      select distinct on (o.device_id) o.device_operation_id, o.released_at from device_operations o join devices d using (device_id)
      where o.status = 'Pending' and o.released_at is not null and o.fleet_operation_id is null
        and (o.released_at < ${secondsBefore(now, deliverWithinSecs)} or (${liveConnection(now)}
          and not exists (select 1 from device_operations r where r.device_id = o.device_id and r.status = 'Running')))
      order by o.device_id, o.released_at
    ) as pending order by released_at limit ${sql.lit(foundAtOnce)})
    union all
    (select late.device_operation_id from fleet_operations f cross join lateral (
      select o.device_operation_id from device_operations o
      where o.fleet_operation_id = f.fleet_operation_id and o.status = 'Pending' and o.released_at is not null
        and o.released_at < ${now}::timestamptz - make_interval(secs => f.deliver_within_secs) limit ${sql.lit(foundAtOnce)}
    ) as late where f.status = 'Running' and f.completed_at is null
      and coalesce(f.resumed_at, f.started_at) < ${now}::timestamptz - make_interval(secs => f.deliver_within_secs)
      limit ${sql.lit(foundAtOnce)})`.execute(tx);
  return rows.map(({ id }) => id);
}

/** What the hub looks at of an operation that may be due. */
export interface DueFacts {
  readonly isLate: boolean;
  readonly isUndelivered: boolean;
  readonly isChannelLost: boolean;
}

/** Reads what may be due of an operation that is locked. */
export async function readDueFacts(
  tx: Database,
  operationId: string,
  now: Date,
): Promise<DueFacts | undefined> {
  const { rows } = await sql<DueFacts>`
    select coalesce(s.status = 'Running' and ${deadline} <= ${now}, false) as "isLate",
      coalesce(o.status = 'Pending' and greatest(o.released_at, f.resumed_at)
        + make_interval(secs => coalesce(f.deliver_within_secs, ${sql.lit(deliverWithinSecs)})) < ${now}, false) as "isUndelivered",
      coalesce(s.status = 'Running' and s.carrier = 'Channel' and ${isChannelLost(now, sql`s.connection_id`)}, false) as "isChannelLost"
    from device_operations o left join fleet_operations f using (fleet_operation_id)
      left join device_operation_steps s on s.device_operation_id = o.device_operation_id and s.step_index = o.step_index
    where o.device_operation_id = ${operationId}`.execute(tx);
  return rows[0];
}

/** How many devices are told again at once that they have something to do. */
const hintedAtOnce = 1000;

/** Finds connected devices, by their raw ids, whose step nobody has taken for some seconds, or was claimed over a connection that has ended. */
export async function findUntakenSteps(tx: Database, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.device_id as id from device_operations o join devices d using (device_id)
      join device_operation_steps s on s.device_operation_id = o.device_operation_id and s.step_index = o.step_index
      left join fleet_operations f using (fleet_operation_id)
      left join device_connections c on c.connection_id = s.connection_id left join cluster_nodes n on n.node_id = c.node_id
    where o.status = 'Running' and (o.fleet_operation_id is null or f.status = 'Running') and s.status = 'Running'
      and s.kind in ('DeviceCommand', 'DeviceTask') and ((s.carrier is null and ${isInWindow(now)}) or (s.carrier = 'Claim' and ${connectionEnded(now)}))
      and s.started_at < ${secondsBefore(now, 3)} and ${liveConnection(now)}
    order by random() limit ${sql.lit(hintedAtOnce)}`.execute(tx);
  return rows.map(({ id }) => id);
}
