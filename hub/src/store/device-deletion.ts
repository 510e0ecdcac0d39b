import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

/**
 * Hides a device, by its raw id, at once by moving it to a deleted project; false if there is none. A job deletes its data in batches, because it may be too large
 * for one transaction.
 */
export async function deleteDevice(tx: Database, deviceId: string): Promise<boolean> {
  const { rows } = await sql`
    with left_behind as (
      insert into all_projects (project_id) select device_id from devices where device_id = ${deviceId} on conflict do nothing
    )
    update devices set project_id = ${deviceId} where device_id = ${deviceId} returning device_id`.execute(
    tx,
  );
  return rows.length > 0;
}
