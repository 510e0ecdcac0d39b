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

/**
 * SQL for the same as `liveConnection`, for many devices: from the columns of the device, and for the few devices with several open connections from these.
 */
export function isConnected(now: Date): RawBuilder<boolean> {
  const live = sql`select node_id from cluster_nodes where lease_until > ${now}`;
  return sql<boolean>`(coalesce(d.open_node = any(array(${live})), false) or d.device_id in (
    select a.device_id from additional_connections a join device_connections c using (device_id)
    where c.ended_at is null and c.node_id in (${live})))`;
}
