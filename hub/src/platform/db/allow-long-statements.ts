import { sql } from 'kysely';
import { type Database, longStatements } from './connect.ts';

/** Lets the statements of this transaction run for up to ten minutes, such as the deletion of a repository with a million files. */
export async function allowLongStatements(tx: Database): Promise<void> {
  await sql.raw(longStatements.text).execute(tx);
}
