import { sql, type Kysely } from 'kysely';

/** Finds what happened to an operation itself among what happened on its devices. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index operation_events_of_operations on operation_events (fleet_operation_id, event_id desc)
      where fleet_operation_id is not null and (device_id is null or kind = 'Paused');
  `.execute(db);
}
