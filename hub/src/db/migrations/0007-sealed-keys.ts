import { sql, type Kysely } from 'kysely';

/** Adds the id of the key under which an instance key is sealed; null for a key that is still unencrypted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table instance_keys add column sealed_under text`.execute(db);
}
