import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

/** Lets the statements of this transaction run for up to ten minutes: what is deleted may own millions of events. */
export async function allowLongDelete(tx: Database): Promise<void> {
  await sql`set local statement_timeout = '10min'`.execute(tx);
}
