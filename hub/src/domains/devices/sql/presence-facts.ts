import { sql } from 'kysely';
import type { ConnectionEndCause } from '../../../platform/db/device-tables.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { isAccepted } from './accepted-certificates.ts';
import { pastConnectionColumns } from './connection-history.ts';

/** The newest connections of a device. */
export interface FactConnection {
  readonly connectedAt: string;
  /** Null while it lives. */
  readonly endedAt: string | null;
  readonly reason: string | null;
  readonly cause: ConnectionEndCause | null;
  readonly said: string | null;
  readonly address: string | null;
  readonly tokenId: string | null;
  readonly nodeName: string | null;
  /** When its node joined, if that still lives. */
  readonly nodeSince: string | null;
}

/** What the hub recorded that tells why a device is not connected. */
export interface PresenceFacts {
  readonly createdAt: string;
  /** Newest first, at most seven. */
  readonly connections: readonly FactConnection[];
  readonly refused: {
    readonly count: number;
    readonly reason: string;
    readonly sentence: string;
    readonly address?: string;
    readonly last: string;
  } | null;
  /** Whether a certificate is accepted. */
  readonly hasActiveCertificate: boolean;
}

/** Reads what tells why a device, by its raw id, is not connected; undefined if it is gone. */
export async function readPresenceFacts(
  tx: Database,
  deviceId: string,
  now: Date,
): Promise<PresenceFacts | undefined> {
  const { endedAt, endReason } = pastConnectionColumns(now);
  const { rows } = await sql<PresenceFacts>`
    select d.created_at as "createdAt",
      (select jsonb_build_object('count', r.count) || (r.arrivals -> 0 #- '{count}') from refused_arrivals r where r.device_id = d.device_id) as refused,
      exists (select 1 from device_certificates c where c.device_id = d.device_id and ${isAccepted(now)}) as "hasActiveCertificate",
      coalesce((select jsonb_agg(newest) from (
        select c.connected_at as "connectedAt", ${endedAt} as "endedAt", ${endReason} as reason, c.end_cause as cause, c.end_detail as said,
          c.address, c.token_id as "tokenId", n.name as "nodeName", case when n.lease_until > ${now} then n.joined_at end as "nodeSince"
        from device_connections c left join cluster_nodes n using (node_id)
        where c.device_id = d.device_id order by c.connected_at desc, c.connection_id desc limit 7
      ) as newest), '[]') as connections
    from devices d where d.device_id = ${deviceId}`.execute(tx);
  // Times in JSON are written with an offset.
  return rows[0] && (JSON.parse(JSON.stringify(rows[0]).replaceAll('+00:00"', 'Z"')) as PresenceFacts);
}

/** Other devices of the project whose connections ended at about the same time. */
export interface EndedTogether {
  /** Behind the same address; and of how many that were or are connected from there. */
  readonly atAddress: number;
  readonly ofAddress: number;
  /** With the same token; and of how many. */
  readonly withToken: number;
  readonly ofToken: number;
}

const togetherSecs = 60;
/** Of so many ends around the time the device is compared with. */
const maxCompared = 5_000;

/** Counts the devices that ended within a minute of a connection of a device, among those of its project that share its address or its token. */
export async function countEndedTogether(
  tx: Database,
  deviceId: string,
  end: { readonly endedAt: string; readonly address: string | null; readonly tokenId: string | null },
): Promise<EndedTogether> {
  const { rows } = await sql<EndedTogether>`
    with project as (select project_id from devices where device_id = ${deviceId}), around as (
      select device_id, address, token_id from device_connections
      where ended_at between ${end.endedAt}::timestamptz - make_interval(secs => ${togetherSecs})
        and ${end.endedAt}::timestamptz + make_interval(secs => ${togetherSecs})
        and (address = ${end.address} or token_id = ${end.tokenId}) and device_id <> ${deviceId} limit ${maxCompared}
    ), together as (
      select d.device_id, bool_or(a.address = ${end.address}) as "atAddress", bool_or(a.token_id = ${end.tokenId}) as "withToken"
      from around a join devices d using (device_id) where d.project_id = (select project_id from project) group by d.device_id
    )
    select count(*) filter (where "atAddress")::int as "atAddress", count(*) filter (where "withToken")::int as "withToken",
      (1 + count(*) filter (where "atAddress") + (select count(*) from (
        select 1 from device_connections c join devices d using (device_id) where c.ended_at is null and c.address = ${end.address}
          and d.project_id = (select project_id from project) and not exists (
            select 1 from together t where t.device_id = d.device_id and t."atAddress") limit ${maxCompared}) as others))::int as "ofAddress",
      (select count(*) from (select 1 from devices where enrolled_by = ${end.tokenId}
        and project_id = (select project_id from project) limit ${maxCompared}) as enrolled)::int as "ofToken"
    from together`.execute(tx);
  return rows[0] ?? { atAddress: 0, ofAddress: 0, withToken: 0, ofToken: 0 };
}
