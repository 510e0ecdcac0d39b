import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

/** Names a device by its raw id; false if there is no such device. */
export async function renameDevice(tx: Database, deviceId: string, name: string | null): Promise<boolean> {
  const { rows } = await sql`
    update devices set name = ${name} where device_id = ${deviceId} returning 1`.execute(tx);
  return rows.length > 0;
}
