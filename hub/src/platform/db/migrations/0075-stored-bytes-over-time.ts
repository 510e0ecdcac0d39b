import { sql, type Kysely } from 'kysely';

/** The history has what repositories store as well. Only the hub's own statements write its kinds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table history drop constraint history_kind_check`.execute(db);
}
