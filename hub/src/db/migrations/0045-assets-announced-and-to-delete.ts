import { sql, type Kysely } from 'kysely';

/**
 * Finds the assets that were announced for the data folder last, and those that were marked for deletion first, without reading one kind to find the other. What only
 * touches an asset that is not available changes no index any more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index assets_announced on assets (created_at) where status = 'Dangling' and store_id is null;
    create index assets_to_delete on assets (touched_at) where status = 'Deleting';
    drop index assets_unfinished`.execute(db);
}
