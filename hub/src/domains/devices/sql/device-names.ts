import type { Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** Reads the names of devices of a project, by their raw ids, of those that there are; they are locked until the transaction ends. */
export async function lockNames(
  tx: Database,
  projectId: string,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await sql<{ id: string; name: string | null }>`
    select device_id as id, name from devices where device_id = any(${[...deviceIds]}) and project_id = ${projectId}
    order by device_id for no key update`.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Writes the names of locked devices, by their raw ids. */
export async function writeNames(tx: Database, names: ReadonlyMap<string, Json>): Promise<void> {
  const given = JSON.stringify([...names].map(([id, name]) => ({ id, name })));
  await sql`
    update devices d set name = g.name from jsonb_to_recordset(${given}::jsonb) as g(id text, name text) where d.device_id = g.id`.execute(
    tx,
  );
}
