import { sql } from 'kysely';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';

/** Why a device was refused, for the timeline of the device. */
export type RefusalReason =
  | 'CertificatePending'
  | 'CertificateRejected'
  | 'CertificateRevoked'
  | 'CertificateEnded'
  | 'CertificateMissing'
  | 'TokenUnknown'
  | 'Other';

/** Refused connections of one device in a row that are alike. */
interface RefusedArrival {
  readonly reason: RefusalReason;
  /** What the device was told. */
  readonly sentence: string;
  readonly address?: string | undefined;
  readonly count: number;
}

/** The refused connections of whoever knows a fingerprint. */
export interface RefusedDeviceArrivals {
  readonly fingerprintId: string;
  /** The hash of the whole fingerprint, in hex: only who knows it is the device. */
  readonly fingerprintHash: string;
  readonly count: number;
  /** Newest first. */
  readonly arrivals: readonly RefusedArrival[];
}

/** A device whose refused connections were recorded; raw ids. */
export interface RefusedDeviceIds {
  readonly deviceId: string;
  readonly projectId: string;
}

/** Adds refused connections to those of known devices, of which each keeps its newest; those of unknown fingerprints are not kept. */
export async function addRefusedArrivals(
  tx: Database,
  refused: readonly RefusedDeviceArrivals[],
  now: Date,
): Promise<readonly RefusedDeviceIds[]> {
  const at = now.toISOString();
  const entries = refused.map(({ arrivals, ...device }) => ({
    ...device,
    arrivals: arrivals.map((arrival) => ({ ...arrival, first: at, last: at })),
  }));
  const { rows } = await sql<RefusedDeviceIds>`
    with refused as (
      select d.device_id, d.project_id, q.count, q.arrivals from json_to_recordset(${JSON.stringify(entries)}::json)
        as q("fingerprintId" text, "fingerprintHash" text, count bigint, arrivals jsonb)
      cross join lateral (
        select device_id, project_id from devices
        where fingerprint_id = q."fingerprintId" and fingerprint_hash = decode(q."fingerprintHash", 'hex') offset 0
      ) as d order by d.device_id
    ), written as (
      insert into refused_arrivals as r (device_id, count, arrivals) select device_id, count, arrivals from refused
      on conflict (device_id) do update set count = r.count + excluded.count, arrivals = jsonb_path_query_array(
        case when r.arrivals -> 0 ->> 'sentence' = excluded.arrivals -> -1 ->> 'sentence'
            and r.arrivals -> 0 -> 'address' is not distinct from excluded.arrivals -> -1 -> 'address'
          then (excluded.arrivals - -1) || jsonb_build_array((excluded.arrivals -> -1) || jsonb_build_object(
              'first', r.arrivals -> 0 -> 'first',
              'count', (r.arrivals -> 0 -> 'count')::bigint + (excluded.arrivals -> -1 -> 'count')::bigint)) || (r.arrivals - 0)
          else excluded.arrivals || r.arrivals end,
        '$[0 to ${sql.raw(String(amounts.refusedArrivals.max - 1))}]')
    )
    select device_id as "deviceId", project_id as "projectId" from refused`.execute(tx);
  return rows;
}
