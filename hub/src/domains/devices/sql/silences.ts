import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** Devices that one step looks at. */
const devicesAtOnce = 2_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** For how long before it left a device is observed. */
const observedMs = 30 * dayMs;
const timesLonger = 3;
/** Of a device with fewer connections nobody knows what is usual. */
const fewestConnections = 5;

/** SQL for whether a device is silent: it has left, and has been away for three times as long as ever within the 30 days before, as `recordSilences` found out. */
export function isSilent(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(d.open_node is null and exists (
    select 1 from device_silences s where s.device_id = d.device_id and s.last_seen_at = d.last_seen_at and s.silent_from <= ${now}))`;
}

/**
 * Finds out from when on devices are silent, of some that left more than an hour ago and were not looked at since. When those of a lost node left is known once the end
 * of their connections is recorded. Resolves with whether there may be more.
 */
export async function recordSilences(tx: Database, now: Date): Promise<{ readonly hasMore: boolean }> {
  const { rows } = await sql<{ looked: number }>`
    with away as materialized (
      select d.device_id, d.last_seen_at from devices d
      where d.last_seen_at <= ${new Date(now.getTime() - hourMs)} and d.open_node is null
        and not exists (select 1 from device_silences s where s.device_id = d.device_id and s.last_seen_at = d.last_seen_at)
      limit ${devicesAtOnce}
    ), looked as (
      insert into device_silences as known (device_id, last_seen_at, silent_from)
      select a.device_id, a.last_seen_at, case when usual.connections >= ${sql.lit(fewestConnections)}
        then a.last_seen_at + greatest(interval '1 hour', ${sql.lit(timesLonger)} * coalesce(usual.longest, interval '0')) end
      from away a cross join lateral (
        select count(*) as connections, max(absence) filter (where connected_at > a.last_seen_at - make_interval(secs => ${sql.lit(observedMs / 1000)})) as longest
        from (
          select c.connected_at, c.connected_at - max(c.ended_at)
            over (order by c.connected_at rows between unbounded preceding and 1 preceding) as absence
          from device_connections c where c.device_id = a.device_id
        ) as each_one
      ) as usual order by a.device_id
      on conflict (device_id) do update set last_seen_at = excluded.last_seen_at, silent_from = excluded.silent_from
      returning 1
    )
    select count(*)::int as looked from looked`.execute(tx);
  return { hasMore: rows[0]?.looked === devicesAtOnce };
}
