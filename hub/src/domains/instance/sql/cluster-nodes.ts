import { sql } from 'kysely';
import { type Database, planEachTime } from '../../../platform/db/connect.ts';
import { exportEnd } from '../../../platform/db/otlp-positions.ts';
import type { NodeSettings } from './node-settings.ts';

const leaseMs = 15_000;

/** The end of a lease that begins or is renewed now. */
export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + leaseMs);
}

/** Whether a node, by its raw id, holds its lease. */
export async function holdsLease(tx: Database, nodeId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from cluster_nodes where node_id = ${nodeId} and lease_until > ${now}`.execute(tx);
  return rows.length > 0;
}

/** A node that holds its lease and that others reach: the name in its certificate, and its host and port. */
export interface ReachableNode {
  readonly name: string;
  readonly address: string;
}

/** A node that holds its lease, as an operator needs it. */
export interface LiveNode {
  readonly name: string | null;
  /** Null for hubs of before it was noted. */
  readonly version: string | null;
  readonly messageBus: 'Connected' | 'Disconnected' | null;
  /** The name in its certificate, and its host and port; null for a hub that is the only node. */
  readonly peerName: string | null;
  readonly peerAddress: string | null;
  /** Null for hubs of before it was noted. */
  readonly settings: NodeSettings | null;
}

/** The nodes that hold their lease by the clock of the database, oldest first; also before a migration has added their settings. */
export async function liveNodes(tx: Database): Promise<LiveNode[]> {
  const { rows } = await sql<LiveNode>`
    select name, version, message_bus as "messageBus", peer_name as "peerName", peer_address as "peerAddress",
      nullif(to_jsonb(n) -> 'settings', 'null') as settings
    from cluster_nodes n where lease_until > clock_timestamp() order by joined_at, node_id`.execute(tx);
  return rows;
}

/** The node that holds the newest connection of a device, by its raw id, if other nodes can reach it. */
export async function nodeOfDevice(
  tx: Database,
  deviceId: string,
  now: Date,
): Promise<ReachableNode | undefined> {
  const { rows } = await sql<ReachableNode>`
    select n.peer_name as name, n.peer_address as address
    from devices d join cluster_nodes n on n.node_id = d.open_node
    where d.device_id = ${deviceId} and n.lease_until > ${now} and n.peer_name is not null`.execute(tx);
  return rows[0];
}

/** The nodes that a clean-up found without a lease; raw ids. */
export interface LostNodes {
  /** The devices of the connections that it ended. */
  readonly deviceIds: string[];
  /** Whether a node has lost its lease within the last minute. */
  readonly hasChanged: boolean;
  /** Whether it ended some, so that there may be more. */
  readonly hasMore: boolean;
}

/** How long the row of a node is kept after its lease. */
export const forgetAfterMs = 3_600_000;
const noticeForMs = 60_000;
/** One step takes less than a second, and emits an event for each device. */
const maxEnded = 5_000;

/**
 * Ends open connections of nodes without a lease, at most 5,000, and their commands, as of the end of the lease. Nodes without a lease for an hour are
 * deleted once they have no open connection.
 * `skip locked` gives each node to one of several concurrent clean-ups, and leaves what somebody has locked to the next: a clean-up that waits would hold up
 * thousands of devices. Devices are locked before their connections, as whoever ends a connection does.
 * Rows are looked up one by one, without joins: the statistics know nothing of the connections of the last minute, and a join planned for few rows
 * is quadratic, while thousands of devices are locked.
 */
export async function cleanUpLostNodes(tx: Database, now: Date): Promise<LostNodes> {
  const { rows } = await sql<{ deviceIds: string[] | null; hasChanged: boolean }>`
    ${sql.raw(planEachTime)}
    with gone as materialized (
      select node_id, lease_until from cluster_nodes where lease_until <= ${now} for update skip locked
    ), open as materialized (
      select c.device_id from device_connections c where c.node_id = any(array(select node_id from gone)) and c.ended_at is null
        and (select true from devices d where d.device_id = c.device_id) limit ${maxEnded}
    ), locked as materialized (
      select d.device_id from (select distinct device_id from open order by device_id) as o
      cross join lateral (
        select device_id from devices where device_id = o.device_id for no key update skip locked
      ) as d
    ), ended as (
      update device_connections c
      set ended_at = greatest((select lease_until from gone where gone.node_id = c.node_id), c.connected_at), end_reason = 'NodeCrashed',
        ${exportEnd(sql`(select d.project_id from all_devices d where d.device_id = c.device_id)`)}
      where c.ended_at is null and c.connection_id = any(array(
        select o.connection_id from locked cross join lateral (
          select connection_id from device_connections o where o.device_id = locked.device_id and o.ended_at is null
            and o.node_id = any(array(select node_id from gone)) offset 0
        ) as o
      ))
      returning c.device_id
    ), panicked as (
      update audit_actions set status = 'Panicked' where action_id = any(array(
        select action_id from audit_actions where node_id = any(array(select node_id from gone)) and status = 'Pending'
        for update skip locked
      ))
    ), forgotten as (
      delete from cluster_nodes n
      where n.node_id = any(array(select node_id from gone where lease_until < ${new Date(now.getTime() - forgetAfterMs)}))
        and not exists (select 1 from device_connections c where c.node_id = n.node_id and c.ended_at is null offset 0)
    )
    select (select array_agg(distinct device_id) from ended) as "deviceIds",
      exists (select 1 from gone where lease_until > ${new Date(now.getTime() - noticeForMs)}) as "hasChanged"`.execute(
    tx,
  );
  const deviceIds = rows[0]?.deviceIds ?? [];
  return { deviceIds, hasChanged: rows[0]?.hasChanged === true, hasMore: deviceIds.length > 0 };
}
