import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { longStatements } from '../db/WatchedClient.ts';

/** Lets the statements of this transaction run for up to ten minutes: the deleted entity may have millions of events. */
export async function allowLongDelete(tx: Database): Promise<void> {
  await sql.raw(longStatements.text).execute(tx);
}

/** Lets this transaction wait for a minute between two statements, for an object store that is slow or away: what it has locked is needed by nobody else. */
export async function allowSlowStore(tx: Database): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = '1min'`.execute(tx);
}
