import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { noteDeleted } from './deleted-identities.ts';

/**
 * Hides a device, by its raw id, at once by moving it to a deleted project; false if there is none. A job deletes its data in batches, because it may be too large
 * for one transaction. Its fingerprint and its certificates are noted, so that no token lets them in again by itself.
 */
export async function deleteDevice(tx: Database, deviceId: string, now: Date): Promise<boolean> {
  const identities = sql`
    select project_id, fingerprint_id as identity from devices where device_id = ${deviceId}
    union all select project_id, fingerprint from device_certificates join devices using (device_id) where device_id = ${deviceId}`;
  const { rows } = await sql`
    with left_behind as (
      insert into all_projects (project_id) select device_id from devices where device_id = ${deviceId} on conflict do nothing
    ), noted as (${noteDeleted(identities, now)})
    update devices set project_id = ${deviceId} where device_id = ${deviceId} returning device_id`.execute(
    tx,
  );
  return rows.length > 0;
}
