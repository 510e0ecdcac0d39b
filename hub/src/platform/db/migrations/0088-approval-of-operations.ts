import { sql, type Kysely } from 'kysely';

/** Which operations of a project need a second person; null where none does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column approval jsonb`.execute(db);
}
