import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { isConnected } from '../../devices/index.ts';
import { projectCounts } from '../../projects/index.ts';
import { eventColumns, historyPeriods, hourAndDay } from './history-columns.ts';

/** Rows that one step moves or deletes at most. */
const rowsAtOnce = 20_000;
/** Minutes before the present one that a look stands for where they have no figures: the queue may be late by one. */
const minutesBefore = 2;

/** For so long after a node joined devices are still coming back, so that a look would count too few. */
const settlingSecs = 60;

const eventNames = Object.values(eventColumns);
const figures = [
  'disconnected',
  'waiting',
  'users',
  'projects',
  'stored_bytes',
  'memory_bytes',
  'load',
] as const;
const sampled = ['watched_secs', 'connected', 'connected_low', 'connected_high', ...figures] as const;

const list = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts, sql`, `);
/** The beginning in UTC of the step of `t` that a time lies in. */
const stepOf = (at: RawBuilder<unknown>) =>
  sql`date_bin(make_interval(secs => t.step_secs), ${at}, '2000-01-01T00:00:00Z'::timestamptz)`;
const stepsOf = (periods: readonly { readonly stepSecs: number }[]) =>
  sql`(values ${list(periods.map(({ stepSecs }) => sql`(${sql.lit(stepSecs)})`))}) as t(step_secs)`;

/** Adds stored events to the minutes, hours and days in which they happened. Resolves with whether there may be more. Each is added exactly once. */
export async function addEventCounts(tx: Database): Promise<{ readonly hasMore: boolean }> {
  const sums = Object.entries(eventColumns).map(
    ([severity, column]) =>
      sql`sum(events) filter (where severity = ${sql.lit(severity)}) as ${sql.ref(column)}`,
  );
  const added = eventNames.map(
    (name) =>
      sql`${sql.ref(name)} = nullif(coalesce(known.${sql.ref(name)}, 0) + coalesce(excluded.${sql.ref(name)}, 0), 0)`,
  );
  const { rows } = await sql<{ moved: number }>`
    with moved as (
      delete from event_count_changes where ctid = any(array(
        select ctid from event_count_changes limit ${rowsAtOnce} for update skip locked
      )) returning *
    ), added as (
      insert into history as known (kind, subject, step_secs, at, ${list(eventNames.map((name) => sql.ref(name)))})
      select kind, subject, t.step_secs, ${stepOf(sql`minute`)} as at, ${list(sums)}
      from moved join projects p using (project_id)
      cross join lateral (values ('Project', project_id), ('Instance', '')) as s(kind, subject)
      cross join ${stepsOf(historyPeriods)}
      group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (kind, subject, step_secs, at) do update set ${list(added)}
    )
    select count(*)::int as moved from moved`.execute(tx);
  return { hasMore: rows[0]?.moved === rowsAtOnce };
}

/** Records how the projects, the nodes and the instance are, for the last minutes in which a hub was there and that have no figures yet, and for their hours and days. */
export async function recordMinute(tx: Database, now: Date): Promise<void> {
  const columns = list(sampled.map((name) => sql.ref(name)));
  const lasts = figures.map(
    (name) => sql`(array_agg(${sql.ref(name)} order by at desc))[1] as ${sql.ref(name)}`,
  );
  const replaced = figures.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  const fresh = sampled.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  await sql`
    with minutes as (${watchedMinutes(now)}), looked as (${lookAround(now)}), recorded as (
      insert into history as known (kind, subject, step_secs, at, ${columns})
      select kind, subject, 60, at, case when kind = 'Instance' then watched_secs end, connected, connected, connected, ${list(figures.map((name) => sql.ref(name)))}
      from looked cross join minutes order by kind, subject, at
      on conflict (kind, subject, step_secs, at) do update set ${list(fresh)} where known.connected is null
      returning *
    )
    insert into history as known (kind, subject, step_secs, at, ${columns})
    select kind, subject, t.step_secs, ${stepOf(sql`r.at`)} as step_at,
      sum(watched_secs), (array_agg(connected order by at desc))[1], min(connected), max(connected), ${list(lasts)}
    from recorded r cross join ${stepsOf(hourAndDay)}
    group by kind, subject, t.step_secs, step_at order by kind, subject, t.step_secs, step_at
    on conflict (kind, subject, step_secs, at) do update set
      watched_secs = coalesce(known.watched_secs, 0) + excluded.watched_secs, connected = excluded.connected,
      connected_low = least(known.connected_low, excluded.connected_low), connected_high = greatest(known.connected_high, excluded.connected_high),
      ${list(replaced)}`.execute(tx);
}

/** SQL of the last whole minutes of which some node that had settled held its lease for a part, and how many seconds that was; none where no node has settled by now. */
function watchedMinutes(now: Date): RawBuilder<unknown> {
  return sql`
    select m.at, extract(epoch from sum(upper(held) - lower(held)))::int as watched_secs
    from (
      select date_trunc('minute', ${now}::timestamptz) - n * interval '1 minute' as at from generate_series(1, ${sql.lit(minutesBefore)}) as n
    ) as m cross join lateral unnest((
      select case when bool_or(lease_until > ${now}) then range_agg(tstzrange(settled_at, least(lease_until, ${now}))) end from (
        select lease_until, joined_at + make_interval(secs => ${sql.lit(settlingSecs)}) as settled_at from cluster_nodes
      ) as n where settled_at < least(lease_until, ${now})
    ) * tstzmultirange(tstzrange(m.at, m.at + interval '1 minute'))) as held
    group by m.at having sum(upper(held) - lower(held)) >= interval '1 second'`;
}

/** SQL of how all is now. A project without devices has no row: where a hub was there, none says none. */
function lookAround(now: Date): RawBuilder<unknown> {
  const isLive = sql`n.lease_until > ${now}`;
  return sql`
    with of_projects as materialized (
      select p.project_id, c.devices, c.connected, (
        select count(*) from devices d where d.project_id = p.project_id and d.pending_certificates > 0 and (${isConnected(now)}) is not true
      ) as waiting
      from projects p cross join lateral (${projectCounts(now)}) as c
    )
    select 'Project' as kind, project_id as subject, connected, greatest(devices - connected - waiting, 0) as disconnected, waiting,
      null::integer as users, null::integer as projects, null::bigint as stored_bytes, null::bigint as memory_bytes, null::real as load
    from of_projects where devices > 0
    union all
    select 'Instance', '', coalesce(sum(connected), 0), coalesce(sum(greatest(devices - connected - waiting, 0)), 0), coalesce(sum(waiting), 0),
      (select count(*) from users where not is_service), (select count(*) from projects), (
        select coalesce(sum(bytes), 0) from (
          select bytes from repository_counts union all select bytes from repository_count_changes) as b
      ), null, null
    from of_projects
    union all
    select 'Node', coalesce(n.name, n.node_id), sum((
        select coalesce(sum(open_connections), 0) from (
          select open_connections from project_counts where node_id = n.node_id
          union all select open_connections from project_count_changes where node_id = n.node_id) as s
      )), null, null, null, null, null, sum(n.memory_bytes), max(n.load)
    from cluster_nodes n where ${isLive} group by 2`;
}
