import { sql } from 'kysely';
import { batch } from '../db/batch.ts';
import type { Database } from '../db/connect.ts';
import { planOnce } from '../db/plan-once.ts';

/** A device by its raw id, and its new name. */
interface Renaming {
  readonly deviceId: string;
  readonly name: string | null;
}

/** Names a device; false if there is no such device. Different devices that are named in one transaction at the same time share a statement. */
export const renameDevice = batch(async (tx: Database, renamings: readonly Renaming[]) => {
  const deviceIds = renamings.map(({ deviceId }) => deviceId);
  const names = renamings.map(({ name }) => name);
  const { rows } = await sql<{ readonly device_id: string }>`
    update devices d set name = given.name
    from unnest(${planOnce(deviceIds, 'text')}, ${planOnce(names, 'text')}) as given(device_id, name)
    where d.device_id = given.device_id returning d.device_id`.execute(tx);
  const renamed = new Set(rows.map((row) => row.device_id));
  return deviceIds.map((deviceId) => renamed.has(deviceId));
});
