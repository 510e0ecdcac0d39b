import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { listOrder, sortKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import { amounts } from '../../../limits/amounts.ts';

/** A connection of a device; one without a recorded end on a node without a lease ended with that lease. */
export interface PastConnection {
  readonly connection_id: string;
  readonly node_id: string;
  readonly connected_at: string;
  readonly ended_at: string | null;
  readonly end_reason: 'Unknown' | 'Disconnected' | 'NodeCrashed' | 'ServerShutdown' | null;
}

/** The connections of a device, newest first. */
export const connectionsNewestFirst = listOrder<PastConnection>(
  'devices_QueryConnections',
  'desc',
  [
    sortKey('connected_at', 'timestamptz', sql`c.connected_at`),
    sortKey('connection_id', 'text', sql`c.connection_id`),
  ],
  { defaultRows: 100, maxRows: 1000 },
);

/** SQL for when a connection `c` on a node `n` ended, and why; null while it lives. */
export function pastConnectionColumns(now: Date): {
  readonly endedAt: RawBuilder<string | null>;
  readonly endReason: RawBuilder<PastConnection['end_reason']>;
} {
  return {
    endedAt: sql`(case when c.ended_at is not null then c.ended_at when n.lease_until > ${now} then null
      else greatest(n.lease_until, c.connected_at) end)`,
    endReason: sql`(case when c.ended_at is not null then c.end_reason when n.lease_until > ${now} then null
      else 'NodeCrashed' end)`,
  };
}

/** Reads a slice of the connections of a device, by its raw id; `activeOnly` omits those that have ended. */
export async function readConnections(
  tx: Database,
  { deviceId, activeOnly }: { readonly deviceId: string; readonly activeOnly: boolean },
  slice: Slice,
  now: Date,
): Promise<PastConnection[]> {
  const { endedAt, endReason } = pastConnectionColumns(now);
  const { rows } = await sql<PastConnection>`
    select c.connection_id, c.node_id, c.connected_at, ${endedAt} as ended_at, ${endReason} as end_reason
    from device_connections c left join cluster_nodes n using (node_id)
    where c.device_id = ${deviceId} and (not ${activeOnly} or (c.ended_at is null and n.lease_until > ${now}))
      and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
  return rows;
}

const dayMs = 86_400_000;
/** Devices are checked that lost a connection within this time: the job runs every hour and may miss two runs. */
const lookBackMs = 3 * 3_600_000;

/**
 * Deletes connections that ended longer ago than they are remembered, and of a device more than its newest 50. The newest connection of each
 * device is kept, and so is every connection that has not ended.
 */
export async function deleteOldConnections(db: Database, now: Date, rememberedDays = 90): Promise<void> {
  await sql`
    delete from device_connections old where ended_at <= ${new Date(now.getTime() - rememberedDays * dayMs)} and exists (
      select 1 from device_connections newer
      where newer.device_id = old.device_id and newer.connected_at > old.connected_at
    )`.execute(db);
  // `lateral` forces one index lookup for each device. While a fleet is connected the statistics say that hardly any connection has ended, so the
  // planner would choose a quadratic join once the whole fleet has disconnected.
  await sql`
    delete from device_connections where ended_at is not null and connection_id = any(array(
      select surplus.connection_id from (
        select distinct device_id from device_connections where ended_at > ${new Date(now.getTime() - lookBackMs)}
      ) as lost cross join lateral (
        select kept.connection_id from device_connections kept where kept.device_id = lost.device_id
        order by kept.connected_at desc offset ${amounts.connectionHistory.max}
      ) as surplus
    ))`.execute(db);
}
