import { sql, type Kysely } from 'kysely';

/** Where nodes reach each other: the name in the certificate of a node's process, and its host and port. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cluster_nodes add column peer_name text, add column peer_address text`.execute(db);
}
