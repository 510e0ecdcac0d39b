import { sql, type Kysely } from 'kysely';

/** What the devices of a project reported as their versions in an hour or a day, and which rows of a demo are invented. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table history add column versions jsonb, add column invented_until timestamptz`.execute(db);
}
