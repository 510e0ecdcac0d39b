import { sql, type Kysely } from 'kysely';

/** Adds the indexes by which a page of devices or projects is found without sorting the whole list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index devices_newest on devices (created_at, device_id);
    create index devices_by_project_newest on devices (project_id, created_at, device_id);
    create index projects_by_name on projects (lower(name), project_id);
  `.execute(db);
}
