import { sql, type RawBuilder } from 'kysely';

/** SQL for whether a device is connected: whether it has an open connection on a live node; the statement's `devices` must be named `d`. */
export function liveConnection(now: Date): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from device_connections c join cluster_nodes n using (node_id)
    where c.device_id = d.device_id and c.ended_at is null and n.lease_until > ${now})`;
}

/** SQL for when the newest live connection of a device began, null where it is not connected; named as above. */
export function liveConnectedAt(now: Date): RawBuilder<string | null> {
  return sql<
    string | null
  >`(select max(c.connected_at) from device_connections c join cluster_nodes n using (node_id)
    where c.device_id = d.device_id and c.ended_at is null and n.lease_until > ${now})`;
}
