import type { Json } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { quotaSql } from '../../../platform/db/quota-sql.ts';
import { propertyBytes } from './device-bytes.ts';
import { lockDevices, type OverQuota } from './device-properties.ts';

/** How much metadata a device may have, in KiB of JSON. */
export const maxMetadataKib = 64;

/** The outcome of a write; all but `Written` wrote nothing. */
type MetadataOutcome = 'Written' | OverQuota;

/** Who writes metadata: what people set stays when the device writes all of its metadata again. */
export type MetadataAuthor = 'Device' | 'Person';

/** Writes the metadata of devices, given as SQL over `d`, where it fits the quota of the device beside its properties, or is not larger than before. A device that is not in the result is absent. */
export async function writeMetadata(
  tx: Database,
  deviceIds: readonly string[],
  metadata: RawBuilder<unknown>,
  author: MetadataAuthor,
): Promise<ReadonlyMap<string, MetadataOutcome>> {
  await lockDevices(tx, deviceIds);
  const ofPeople = sql`coalesce((select l.labels from device_labels l where l.device_id = d.device_id), '{}')`;
  const whole = author === 'Device' ? sql`${metadata} || ${ofPeople}` : metadata;
  const { rows } = await sql<{ deviceId: string; isWritten: boolean; quotaBytes: number }>`
    with given as materialized (
      select d.device_id, ${whole} as metadata, d.metadata as before, ${ofPeople} as of_people,
        coalesce(d.metadata_bytes, metadata_size(d.metadata)) as bytes_before
      from devices d where d.device_id = any(${[...deviceIds]})
    ), next as materialized (
      select given.*, metadata_size(given.metadata) as bytes, ${quotaSql('devicePropertyBytes')} as quota from given
    ), written as (
      update devices d set metadata = next.metadata, metadata_bytes = next.bytes from next where d.device_id = next.device_id
        and (next.bytes <= next.bytes_before or next.bytes + ${propertyBytes(sql`next.device_id`)} <= next.quota)
      returning d.device_id
    ) ${author === 'Person' ? sql`, kept as (${keepLabels})` : sql``}
    select device_id as "deviceId", device_id in (select device_id from written) as "isWritten", quota as "quotaBytes" from next`.execute(
    tx,
  );
  return new Map(
    rows.map(({ deviceId, isWritten, quotaBytes }) => [deviceId, isWritten ? 'Written' : { quotaBytes }]),
  );
}

/** SQL that keeps what people have set: what they set before and is still there, and what differs from before. */
const keepLabels = sql`
  insert into device_labels (device_id, labels)
  select n.device_id, coalesce(jsonb_object_agg(e.key, e.value) filter (where e.key is not null), '{}')
  from next n left join lateral jsonb_each(n.metadata) e on n.of_people ? e.key or e.value is distinct from n.before -> e.key
  where n.device_id in (select device_id from written)
  group by n.device_id
  on conflict (device_id) do update set labels = excluded.labels`;

/** What the metadata of a device has under a name, and how large the document is. */
export interface FoundMetadata {
  readonly before: Json | null;
  readonly bytes: number;
  /** Whether it comes from the device and not from a person. */
  readonly isReported: boolean;
}

/** Writes one label of locked devices, by their raw ids, or removes it where it is null. */
export function writeLabels(
  tx: Database,
  name: string,
  values: ReadonlyMap<string, Json>,
): Promise<ReadonlyMap<string, MetadataOutcome>> {
  const given = sql`(${JSON.stringify(Object.fromEntries(values))}::jsonb -> d.device_id)`;
  const next = sql`case when ${given} = 'null' then d.metadata - ${name}::text
    else d.metadata || jsonb_build_object(${name}::text, ${given}) end`;
  return writeMetadata(tx, [...values.keys()], next, 'Person');
}

/** Leaves a label of locked devices, by their raw ids, to what they report. */
export async function leaveToReports(
  tx: Database,
  name: string,
  deviceIds: readonly string[],
): Promise<void> {
  await sql`
    update device_labels set labels = labels - ${name}::text where device_id = any(${[...deviceIds]}) and labels ? ${name}::text`.execute(
    tx,
  );
}

/** Reads what the metadata of devices of a project has under a name, by their raw ids, of those that there are; they are locked until the transaction ends. */
export async function lockMetadata(
  tx: Database,
  projectId: string,
  deviceIds: readonly string[],
  name: string,
): Promise<ReadonlyMap<string, FoundMetadata>> {
  const { rows } = await sql<FoundMetadata & { deviceId: string }>`
    select device_id as "deviceId", metadata -> ${name}::text as before, metadata_size(metadata) as bytes,
      metadata ? ${name}::text and not exists (
        select 1 from device_labels l where l.device_id = devices.device_id and l.labels ? ${name}::text) as "isReported"
    from devices
    where device_id = any(${[...deviceIds]}) and project_id = ${projectId} order by device_id for no key update`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.deviceId, row]));
}
