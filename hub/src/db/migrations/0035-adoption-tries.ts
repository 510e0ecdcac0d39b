import { sql, type Kysely } from 'kysely';

/** How often the hub tried to finish an upload whose client died, and when it may try again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table assets add column adoption_tries integer not null default 0, add column adopt_after timestamptz`.execute(
    db,
  );
}
