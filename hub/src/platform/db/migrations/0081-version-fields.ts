import { sql, type Kysely } from 'kysely';

/** Which fields are the versions of a project's devices; null while the hub finds them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column version_fields text[]`.execute(db);
}
