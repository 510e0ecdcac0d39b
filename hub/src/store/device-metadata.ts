import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { metadataBytes, propertyBytes } from './device-bytes.ts';
import { lockDevice, type OverQuota } from './device-properties.ts';
import { quotaSql } from '../db/quota-sql.ts';

/** The outcome of a write; all but `Written` wrote nothing. */
export type MetadataOutcome = 'Written' | 'Absent' | OverQuota;

/** Replaces the metadata of a device, given as JSON text, if it fits the quota of the device beside its properties, or is not larger than before. */
export async function writeMetadata(
  tx: Database,
  deviceId: string,
  metadata: string,
): Promise<MetadataOutcome> {
  await lockDevice(tx, deviceId);
  const { rows } = await sql<{ isWritten: boolean; quotaBytes: number }>`
    with next as materialized (
      select metadata_size(${metadata}::jsonb) as bytes, ${metadataBytes(deviceId)} as bytes_before,
        ${quotaSql('devicePropertyBytes')} as quota
    ), written as (
      update devices set metadata = ${metadata}::jsonb, metadata_bytes = next.bytes from next where device_id = ${deviceId}
        and (next.bytes <= next.bytes_before or next.bytes + ${propertyBytes(deviceId)} <= next.quota)
      returning 1
    )
    select exists (select 1 from written) as "isWritten", quota as "quotaBytes"
    from next where exists (select 1 from devices where device_id = ${deviceId})`.execute(tx);
  const [outcome] = rows;
  if (outcome === undefined) return 'Absent';
  return outcome.isWritten ? 'Written' : { quotaBytes: outcome.quotaBytes };
}
