import { sql, type Kysely } from 'kysely';

/** Whether objects of a store that keeps no digest of them are verified by their size alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table object_stores add column trusts_size boolean not null default false`.execute(db);
}
