import { sql, type Kysely } from 'kysely';

/** Since when a store is one of a restored copy, which deletes nothing in it; null where the hub may delete. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table object_stores add column unclaimed_since timestamptz`.execute(db);
}
