import { sql, type Kysely } from 'kysely';

/** Finds devices by a fact that is true or false without reading all facts of its key; facts that are neither cost nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index device_facts_by_flag on device_facts (key_id, value_flag, device_id) where value_flag is not null`.execute(
    db,
  );
}
