import { sql, type Kysely } from 'kysely';

/** What people set in the metadata of a device, which stays when the device writes its metadata again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table device_labels (
      device_id text primary key references all_devices on delete cascade,
      labels jsonb not null
    )`.execute(db);
}
