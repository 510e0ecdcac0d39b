import { sql, type Kysely } from 'kysely';

/** The address from which a certificate was presented first, for whoever decides about it. A hub of the release before notes none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table device_certificates add column address text`.execute(db);
}
