import { sql, type Kysely } from 'kysely';

/** What uploads past the hub and stores that are trusted by size needed, and a note by triggers of which assets have digests of their parts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop trigger note_chunk_digests on asset_chunks;
    drop function note_chunk_digests();
    alter table assets drop column has_chunk_digests, drop column adoption_tries, drop column adopt_after;
    alter table object_stores drop column trusts_size;
  `.execute(db);
}
