import { sql, type Kysely } from 'kysely';

/** What a token may do by verbs, null for tokens without; and service accounts, which are users of one project or repository that never sign in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table user_tokens add column verbs text[];
    alter table login_requests add column verbs text[];
    alter table users
      add column is_service boolean not null default false,
      add column service_project_id text references projects on delete cascade,
      add column service_repository_id text references repositories on delete cascade,
      add check (is_service = (num_nonnulls(service_project_id, service_repository_id) = 1)),
      add check (num_nonnulls(service_project_id, service_repository_id) <= 1),
      add check (not (is_service and (is_admin or password_hash is not null)));
    create index users_by_service_project on users (service_project_id) where service_project_id is not null;
    create index users_by_service_repository on users (service_repository_id) where service_repository_id is not null;
  `.execute(db);
}
