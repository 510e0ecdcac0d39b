import { sql, type Kysely } from 'kysely';

/** Lets the upkeep find the connections that ended long ago, or lately, without reading the whole history. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index device_connections_by_end on device_connections (ended_at) where ended_at is not null
  `.execute(db);
}
