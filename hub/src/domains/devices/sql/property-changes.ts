import type { Actor } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { firstSystemInfoProperty, systemInfoProperty } from './known-properties.ts';

/** The property that changes, by whom, and when. */
interface Changed {
  /** The raw id of the device. */
  readonly deviceId: string;
  readonly name: string;
  readonly actor: Actor;
  readonly now: Date;
}

const maxValueBytes = 4096;
const foldedMinutes = 10;
const keptDays = 90;

/** How values that are measured again and again are told from others: numbers, and the description of the system. */
const isMeasured = (name: string): RawBuilder<boolean> =>
  [systemInfoProperty, firstSystemInfoProperty].includes(name)
    ? sql<boolean>`true`
    : sql<boolean>`jsonb_typeof(w.value) = 'number'`;

const bounded = (value: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when octet_length((${value})::text) <= ${sql.raw(String(maxValueBytes))} then ${value} end`;

/**
 * Parts of a `with` after `before(value)`, the value that was, and `w(value)`, the written one or null if it was removed: they note the change. What a device measures within ten
 * minutes is one change. Of a device the newest changes are kept.
 */
export function noteChange({ deviceId, name, actor, now }: Changed): RawBuilder<unknown> {
  const byDevice = actor.actor === 'Device';
  const patch = sql`(select coalesce(jsonb_object_agg(key, n.value), '{}') from jsonb_each(w.value) n
    full join jsonb_each(b.value) o using (key) where n.value is distinct from o.value)`;
  return sql`change as (
      select case when w.value is null then 'Removed' when w.is_object and b.is_object then 'Patched' else 'Set' end as change,
        case when w.is_object and b.is_object then ${bounded(patch)} else ${bounded(sql`w.value`)} end as value,
        case when jsonb_typeof(b.value) in ('number', 'boolean') or octet_length(b.value::text) <= 200 then b.value end as value_before,
        coalesce(${byDevice} and ${isMeasured(name)}, false) as is_folded
      from (select value, jsonb_typeof(value) = 'object' as is_object from written) as w
      left join (select value, jsonb_typeof(value) = 'object' as is_object from before) as b on true
      where w.value is distinct from b.value
    ), folded as (
      update device_property_changes c set last_changed_at = ${now},
        value = case when change.change = 'Patched' and c.change = 'Patched' then ${bounded(sql`c.value || change.value`)} else change.value end
      from change where change.is_folded and c.device_id = ${deviceId} and c.name = ${name} and c.actor is null and c.change = change.change
        and c.changed_at > ${now}::timestamptz - make_interval(mins => ${foldedMinutes})
      returning 1
    ), noted as (
      insert into device_property_changes (device_id, changed_at, name, last_changed_at, change, value, value_before, actor)
      select ${deviceId}, ${now}, ${name}, ${now}, change, value, value_before, ${byDevice ? null : JSON.stringify(actor)}::jsonb
      from change where not exists (select 1 from folded)
      on conflict (device_id, changed_at, name) do update set change = excluded.change, value = excluded.value, actor = excluded.actor
      returning 1
    ), forgotten as (
      delete from device_property_changes where device_id = ${deviceId} and exists (select 1 from noted) and changed_at <= (
        select changed_at from device_property_changes where device_id = ${deviceId}
        order by changed_at desc offset ${amounts.propertyChanges.max - 1} limit 1)
    )`;
}

/** Deletes the changes that are older than 90 days. */
export async function deleteOldPropertyChanges(db: Database, now: Date): Promise<void> {
  await sql`delete from device_property_changes where changed_at < ${now}::timestamptz - make_interval(days => ${keptDays})`.execute(
    db,
  );
}
