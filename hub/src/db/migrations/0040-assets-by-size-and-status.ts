import { sql, type Kysely } from 'kysely';

/** Lets lists of assets by size and by status read a page from an index instead of sorting the repository. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index assets_by_size on assets (repository_id, size, asset_id)`.execute(db);
  await sql`create index assets_by_status on assets (repository_id, status, asset_id)`.execute(db);
}
