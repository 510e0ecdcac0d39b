import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** Resolves once the database has answered. Rejects when it cannot be reached. */
export async function ping(db: Database): Promise<void> {
  await sql`select 1`.execute(db);
}
