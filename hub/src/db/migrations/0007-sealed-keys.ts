import { sql, type Kysely } from 'kysely';

/** Lets the instance's keys be kept sealed; null marks those that are still in the clear. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table instance_keys add column sealed_under text`.execute(db);
}
