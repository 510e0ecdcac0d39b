import { maxLabelNameCharacters, maxLabelValueCharacters } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';

/** A plain value in the metadata of a device. */
export interface DeviceLabel {
  readonly name: string;
  /** A number and a truth value as they are written. */
  readonly value: string;
}

/** More fit on no row of a list. */
const maxListed = 8;
/** A device may write thousands of keys, which would be read for each of 500 rows. */
const maxListedBytes = 4_096;

/** SQL for the labels of a device in a list, by SQL of its raw id. */
export function labelsOf(deviceId: RawBuilder<unknown>): RawBuilder<readonly DeviceLabel[] | null> {
  return sql`(
    select jsonb_agg(jsonb_build_object('name', name, 'value', value)) from (
      select l.name, l.value from devices labelled cross join lateral (${plainValues(sql`labelled.metadata`)}) as l
      where labelled.device_id = ${deviceId} and pg_column_size(labelled.metadata) <= ${maxListedBytes}
      order by l.name collate "C" limit ${maxListed}
    ) as listed)`;
}

/** SQL that selects `name` and `value` of the labels in a document of metadata: of its short texts, its numbers and its truth values. */
export function plainValues(metadata: RawBuilder<unknown>): RawBuilder<DeviceLabel> {
  return sql`
    select key as name, value #>> '{}' as value from jsonb_each(${metadata})
    where jsonb_typeof(value) in ('string', 'number', 'boolean')
      and length(key) between 1 and ${sql.lit(maxLabelNameCharacters)}
      and length(value #>> '{}') between 1 and ${sql.lit(maxLabelValueCharacters)}`;
}
