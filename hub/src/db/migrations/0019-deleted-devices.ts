import { sql, type Kysely } from 'kysely';

/**
 * The events of a device no longer go with its row, since there may be millions: the device is noted, and a job deletes them. Nobody reaches them meanwhile,
 * because every reader asks for the device first, and whoever stores events holds a lock on its row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table device_events drop constraint device_events_device_id_fkey;
    create table deleted_devices (
      device_id text primary key
    );
    create function note_deleted_devices() returns trigger language plpgsql as $$ begin
      insert into deleted_devices (device_id) select device_id from gone on conflict do nothing;
      return null;
    end $$;
    create trigger note_deleted after delete on devices
      referencing old table as gone for each statement execute function note_deleted_devices();
  `.execute(db);
}
