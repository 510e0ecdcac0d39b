import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { longStatements } from '../db/WatchedClient.ts';

/** Lets the statements of this transaction run for up to ten minutes: the deleted entity may have millions of events. */
export async function allowLongDelete(tx: Database): Promise<void> {
  await sql.raw(longStatements.text).execute(tx);
}
