import { sql, type Kysely } from 'kysely';

/**
 * The time of emission that the device gave, where it lies minutes from the time of receipt; `emitted_at`, by which events are sorted and filtered, is then the
 * time of receipt. A hub of the release before writes what the device gave to `emitted_at`, as all events from before have it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table device_events add column device_time timestamptz`.execute(db);
}
