import { sql, type Kysely } from 'kysely';

/** Notes in which session a sign-in of a command line was decided, so that it ends with that session. A hub of the release before notes none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table login_requests add column session_id text references user_sessions on delete cascade;
    create index login_requests_by_session on login_requests (session_id);
    create index login_requests_by_user on login_requests (user_id);
  `.execute(db);
}
