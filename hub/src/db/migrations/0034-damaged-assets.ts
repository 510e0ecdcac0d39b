import { sql, type Kysely } from 'kysely';

/** A partial index of the assets whose bytes are missing, damaged or unchecked, so that counting them does not read the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index assets_damaged on assets (storage_status, created_at)
      where status = 'Available' and storage_status in ('Missing', 'Mismatched', 'Error')`.execute(db);
}
