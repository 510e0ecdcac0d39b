import { sql, type Kysely } from 'kysely';

/** Whether the right size of an object is enough where its store keeps no digest of the whole. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table object_stores add column trusts_size boolean not null default false`.execute(db);
}
