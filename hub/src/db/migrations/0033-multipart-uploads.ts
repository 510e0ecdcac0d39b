import { sql, type Kysely } from 'kysely';

/** The upload in parts by which the bytes of an asset come into its object store, as the store names it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table assets add column multipart_id text`.execute(db);
}
