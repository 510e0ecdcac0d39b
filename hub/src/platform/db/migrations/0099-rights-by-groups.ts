import { sql, type Kysely } from 'kysely';

/** Which rights the groups of users at the provider gave, so that leaving a group takes no others; and when a waiting sign-in proved there who it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column is_admin_from_groups boolean not null default false`.execute(db);
  await sql`
    alter table project_members add column from_groups text
      constraint project_members_from_groups check (from_groups in ('membership', 'ownership'))`.execute(db);
  await sql`alter table pending_sign_ins add column provider_authenticated_at timestamptz`.execute(db);
}
