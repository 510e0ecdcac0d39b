import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** The id of this instance; a copy of its database has the same. */
export async function instanceIdOf(db: Database): Promise<string> {
  const { rows } = await sql<{ id: string }>`select instance_id as id from event_bus`.execute(db);
  if (rows[0] === undefined) throw new Error('The row of the table event_bus is missing.');
  return rows[0].id;
}

/** A digest of the id of an instance that anyone may see: it tells one instance from another, and nothing else. */
export function publicInstanceId(instanceId: string): string {
  return createHash('sha256').update(`corral instance ${instanceId}`).digest('hex').slice(0, 16);
}
