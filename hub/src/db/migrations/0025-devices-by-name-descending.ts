import { sql, type Kysely } from 'kysely';

/** Finds a page of devices by descending name without sorting the list: devices without a name come last there too, so the index of the other direction does not do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index devices_by_project_name_descending on all_devices
      (project_id, (name is not null), lower(coalesce(name, '')), device_id)`.execute(db);
}
