import { sql, type Kysely } from 'kysely';

/** What the load and the memory of a node are a part of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cluster_nodes add column cores integer, add column machine_memory_bytes bigint`.execute(
    db,
  );
}
