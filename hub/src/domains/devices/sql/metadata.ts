import type { Json } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { quotaSql } from '../../../platform/db/quota-sql.ts';
import { metadataBytes, propertyBytes } from './device-bytes.ts';
import { lockDevice, type OverQuota } from './device-properties.ts';

/** How much metadata a device may have, in KiB of JSON. */
export const maxMetadataKib = 64;

/** The outcome of a write; all but `Written` wrote nothing. */
type MetadataOutcome = 'Written' | 'Absent' | OverQuota;

/** Who writes metadata: what people set stays when the device writes all of its metadata again. */
export type MetadataAuthor = 'Device' | 'Person';

/** Writes the metadata of a device by its raw id, given as SQL, if it fits the quota of the device beside its properties, or is not larger than before. */
export async function writeMetadata(
  tx: Database,
  deviceId: string,
  metadata: RawBuilder<unknown>,
  author: MetadataAuthor,
): Promise<MetadataOutcome> {
  await lockDevice(tx, deviceId);
  const ofPeople = sql`coalesce((select labels from device_labels where device_id = ${deviceId}), '{}')`;
  const whole = author === 'Device' ? sql`${metadata} || ${ofPeople}` : metadata;
  const { rows } = await sql<{ isWritten: boolean; quotaBytes: number }>`
    with given as materialized (
      select ${whole} as metadata, metadata as before from devices where device_id = ${deviceId}
    ), next as materialized (
      select given.metadata, given.before, metadata_size(given.metadata) as bytes, ${metadataBytes(deviceId)} as bytes_before,
        ${quotaSql('devicePropertyBytes')} as quota
      from given
    ), written as (
      update devices set metadata = next.metadata, metadata_bytes = next.bytes from next where device_id = ${deviceId}
        and (next.bytes <= next.bytes_before or next.bytes + ${propertyBytes(deviceId)} <= next.quota)
      returning 1
    ) ${author === 'Person' ? sql`, kept as (${keepLabels(deviceId, ofPeople)})` : sql``}
    select exists (select 1 from written) as "isWritten", quota as "quotaBytes" from next`.execute(tx);
  const [outcome] = rows;
  if (outcome === undefined) return 'Absent';
  return outcome.isWritten ? 'Written' : { quotaBytes: outcome.quotaBytes };
}

/** SQL that keeps what people have set: what they set before and is still there, and what differs from before. */
function keepLabels(deviceId: string, ofPeople: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into device_labels (device_id, labels)
    select ${deviceId}, coalesce(jsonb_object_agg(key, value) filter (where key is not null), '{}')
    from next left join lateral jsonb_each(next.metadata) on ${ofPeople} ? key or value is distinct from next.before -> key
    group by ()
    having exists (select 1 from written)
    on conflict (device_id) do update set labels = excluded.labels`;
}

/** What the metadata of a device has under a name, and how large the document is; the device is locked until the transaction ends. */
export async function lockMetadata(
  tx: Database,
  deviceId: string,
  name: string,
): Promise<{ readonly before: Json | null; readonly bytes: number } | undefined> {
  const { rows } = await sql<{ before: Json | null; bytes: number }>`
    select metadata -> ${name}::text as before, metadata_size(metadata) as bytes from devices
    where device_id = ${deviceId} for no key update`.execute(tx);
  return rows[0];
}
