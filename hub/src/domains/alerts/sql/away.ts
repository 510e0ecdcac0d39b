import { sql, type RawBuilder } from 'kysely';

/**
 * So long devices may take to come back to a hub: an agent waits up to 30 s between two attempts (`backoff.ts` of the client) and up to a minute where the hub schedules it, an attempt
 * takes up to 20 s to fail, and the third one is through.
 */
export const reconnectSecs = 150;

/**
 * SQL of a subquery that says of a device `d` that is away when it left (`left_at`), and whether a hub was to blame that stopped or was lost (`is_by_hub`), which is asked only of
 * devices that left within so many seconds. A time that is still to come, since the clock was set back, is now.
 */
export function awayOf(now: Date, withinSecs: number): RawBuilder<unknown> {
  const of = sql`case when d.open_node is null then d.last_seen_at
    else greatest((select n.lease_until from cluster_nodes n where n.node_id = d.open_node), d.last_connected_at) end`;
  return sql`(
    select l.left_at, case when l.left_at < ${new Date(now.getTime() - withinSecs * 1000)} then false
      when d.open_node is not null then true
      else coalesce((
        select c.end_reason in ('NodeCrashed', 'ServerShutdown') or c.end_cause = 'Failed' from device_connections c
        where c.device_id = d.device_id and c.ended_at is not null order by c.connected_at desc limit 1), false) end as is_by_hub
    from (select least(${of}, ${now}::timestamptz) as left_at) as l)`;
}
