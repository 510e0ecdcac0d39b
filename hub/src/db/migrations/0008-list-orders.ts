import { sql, type Kysely } from 'kysely';

/** Adds the indexes by which the database finds a page of a list without sorting the whole list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index devices_newest on devices (created_at, device_id);
    create index devices_by_project_newest on devices (project_id, created_at, device_id);
    create index projects_by_name on projects (lower(name), name, project_id);
    create index deployment_tokens_newest on deployment_tokens (project_id, created_at, token_id);
    create index user_tokens_newest on user_tokens (user_id, created_at, token_id);
    create index user_sessions_newest on user_sessions (user_id, created_at, session_id);
  `.execute(db);
}
