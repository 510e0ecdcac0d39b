import { sql, type Kysely } from 'kysely';

/** Adds indexes by which the upkeep finds connections by the time of their end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index device_connections_by_end on device_connections (ended_at) where ended_at is not null
  `.execute(db);
}
