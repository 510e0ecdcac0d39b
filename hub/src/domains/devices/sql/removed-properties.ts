import type { Actor } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { noteChange } from './property-changes.ts';

/** How many removed properties of a device keep their last version. */
const maxRemembered = 500;

/** SQL for the highest version that a property which does not exist may have had. */
export function lastVersion(deviceId: string, name: string): RawBuilder<number> {
  return sql<number>`greatest(
    (select property_version_floor from devices where device_id = ${deviceId}),
    (select version from removed_device_properties where device_id = ${deviceId} and name = ${name}))`;
}

/** The outcome of a removal. */
export type RemovalOutcome = 'Removed' | 'Protected' | 'Absent';

/** Removes a property of a locked device, unless the device asks for a protected one; stores its last version. */
export async function removeProperty(
  tx: Database,
  { deviceId, name, actor }: { deviceId: string; name: string; actor: Actor },
  now: Date,
): Promise<RemovalOutcome> {
  const byDevice = actor.actor === 'Device';
  const { rows } = await sql<{ isRemoved: boolean; isKnown: boolean }>`
    with known as (
      select 1 from device_properties where device_id = ${deviceId} and name = ${name}
    ), before as (
      select value from device_properties where device_id = ${deviceId} and name = ${name}
    ), removed as (
      delete from device_properties where device_id = ${deviceId} and name = ${name} and not (${byDevice} and is_protected)
      returning version
    ), written as (
      select null::jsonb as value from removed
    ), ${noteChange({ deviceId, name, actor, now })}, remembered as (
      insert into removed_device_properties (device_id, name, version, removed_at)
      select ${deviceId}, ${name}, version, ${now} from removed
      on conflict (device_id, name) do update set removed_at = excluded.removed_at,
        version = greatest(removed_device_properties.version, excluded.version)
    )
    select exists (select 1 from removed) as "isRemoved", exists (select 1 from known) as "isKnown"`.execute(
    tx,
  );
  if (rows[0]?.isRemoved !== true) return rows[0]?.isKnown === true ? 'Protected' : 'Absent';
  await deleteOldest(tx, deviceId);
  return 'Removed';
}

/** Deletes the oldest entries; their highest version becomes the floor of new properties, so that no version is used twice. */
async function deleteOldest(tx: Database, deviceId: string): Promise<void> {
  await sql`
    with deleted as (
      delete from removed_device_properties where device_id = ${deviceId} and name in (
        select name from removed_device_properties where device_id = ${deviceId}
        order by removed_at desc, name offset ${maxRemembered}
      ) returning version
    )
    update devices set property_version_floor = greatest(property_version_floor, (select max(version) from deleted))
    where device_id = ${deviceId} and exists (select 1 from deleted)`.execute(tx);
}
