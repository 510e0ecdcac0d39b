import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

/**
 * Deletes a device by raw id, for everybody at once; false if there is none. It becomes all that is left of a deleted project with its id, where only the job that
 * deletes those looks: what a device owns may be too much for one transaction.
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
