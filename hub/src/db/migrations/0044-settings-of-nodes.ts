import { sql, type Kysely } from 'kysely';

/** What the configuration of a node sets of the settings that all nodes should have alike; null for nodes of older hubs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cluster_nodes add column settings jsonb`.execute(db);
}
