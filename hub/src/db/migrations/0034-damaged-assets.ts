import { sql, type Kysely } from 'kysely';

/** Counts the assets whose bytes are missing or damaged, or could not be checked, without reading all the others: it has no entry for these. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index assets_damaged on assets (storage_status, created_at)
      where status = 'Available' and storage_status in ('Missing', 'Mismatched', 'Error')`.execute(db);
}
