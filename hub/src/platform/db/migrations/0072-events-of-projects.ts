import { sql, type Kysely } from 'kysely';

/** The list of a project's events reads each severity newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index device_events_by_severity on device_events (severity, emitted_at desc)`.execute(db);
}
