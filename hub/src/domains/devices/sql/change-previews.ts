import { type Input, maxNameCharacters, problemMessages } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { nameKey } from '../../../platform/db/paging/list-order.ts';
import { maxMetadataKib } from './metadata.ts';

/** What is changed of devices, with names and values as they are stored. */
export type DeviceChange = Input<'fleet_PreviewChange'>['change'];

/** SQL over the statement's `devices d`, which are the selected ones. */
export interface ChangeSql {
  /** What the device has, and what it would have, as people see it; JSON. */
  readonly before: RawBuilder<unknown>;
  readonly after: RawBuilder<unknown>;
  /** What is kept to be given to the device; JSON. */
  readonly given: RawBuilder<unknown>;
  /** Why it would not be changed; null where it would. */
  readonly reason: RawBuilder<string | null>;
}

const nothing = sql`null::jsonb`;

/** What a change does to devices, as SQL; the same is checked again when it is done. */
export function changeSql(change: DeviceChange): ChangeSql {
  switch (change.kind) {
    case 'Rename':
      return ofName(change.pattern);
    case 'SetLabel':
      return ofLabel(change.name, change.value);
    case 'RemoveLabel':
      return ofLabel(change.name, undefined);
    case 'Accept':
      return ofCertificates;
    case 'Delete':
      return { before: nothing, after: nothing, given: nothing, reason: sql`null::text` };
    case 'RotateCertificates':
      return ofRotation;
  }
}

function ofName(pattern: string): ChangeSql {
  const hostname = sql`coalesce(d.hostname, d.name, 'd_' || d.device_id)`;
  const number = sql`row_number() over (order by d.name is null, ${nameKey(sql`coalesce(d.name, '')`)}, d.device_id)::text`;
  // A hostname that looks like a placeholder is not filled in again.
  const parts = pattern.split(/(\{hostname\}|\{n\})/u).map((part) => {
    if (part === '{hostname}') return hostname;
    return part === '{n}' ? number : sql`${part}::text`;
  });
  // `concat` takes a hundred parts at most.
  const name = sql`btrim(array_to_string(array[${sql.join(parts)}]::text[], ''))`;
  const after = sql`to_jsonb(${name})`;
  const reason = sql<string | null>`case when ${name} = d.name then 'It has this name already.'
    when char_length(${name}) > ${sql.lit(maxNameCharacters)} then ${problemMessages.deviceNameTooLong} end`;
  return { before: sql`to_jsonb(d.name)`, after, given: after, reason };
}

function ofLabel(name: string, value: string | number | boolean | undefined): ChangeSql {
  const before = sql`(d.metadata -> ${name}::text)`;
  const after = value === undefined ? nothing : sql`${JSON.stringify(value)}::jsonb`;
  const given = value === undefined ? sql`'null'::jsonb` : after;
  const bytes = Buffer.byteLength(JSON.stringify({ [name]: value ?? null }));
  const same =
    value === undefined
      ? sql`when ${before} is null or ${before} = 'null' then 'It does not have this label.'`
      : sql`when ${before} = ${after} then 'It has this value already.'
          when coalesce(d.metadata_bytes, metadata_size(d.metadata)) + ${sql.lit(bytes)} > ${sql.lit(maxMetadataKib * 1024)}
            then ${`The metadata of a device may have at most ${maxMetadataKib} KiB.`}`;
  const isNoLabel = sql`jsonb_typeof(${before}) in ('array', 'object')`;
  return {
    before: sql`case when not coalesce(${isNoLabel}, false) then ${before} end`,
    after,
    given,
    reason: sql<
      string | null
    >`case when ${isNoLabel} then 'It has a list or an object under this name, which is changed in its metadata.' ${same} end`,
  };
}

/** Those that wait now: one that comes later is accepted by nobody who has not seen it. */
const ofCertificates: ChangeSql = {
  before: sql`to_jsonb(d.pending_certificates)`,
  after: sql`to_jsonb(0)`,
  given: sql`(select jsonb_agg(c.certificate_id order by c.certificate_id) from device_certificates c
    where c.device_id = d.device_id and c.status = 'Pending')`,
  reason: sql`case when d.pending_certificates = 0 then 'No certificate of it waits for approval.' end`,
};

/** Only a device with an active certificate can announce another one. */
const ofRotation: ChangeSql = {
  before: nothing,
  after: nothing,
  given: nothing,
  reason: sql`case when not exists (select 1 from device_certificates c where c.device_id = d.device_id and c.status = 'Active')
      then 'It has no active certificate.'
    when exists (select 1 from certificate_rotations r where r.device_id = d.device_id and r.state = 'Arrived' and r.ended_at is null)
      then 'Its certificate was replaced just now, and the old one still has its time of grace.' end`,
};
