import { sql, type Kysely } from 'kysely';

/** What the nodes served of the assets of a repository in an hour or a day; null where none counted it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table history add column served_bytes bigint`.execute(db);
}
