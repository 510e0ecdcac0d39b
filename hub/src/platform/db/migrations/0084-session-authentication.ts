import { sql, type Kysely } from 'kysely';

/** How and when sessions were authenticated, and from where. A session of an earlier release was, by a password, when it began. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table user_sessions
      add column methods text[] not null default '{password}',
      add column authenticated_at timestamptz,
      add column stepped_up_at timestamptz,
      add column address text`.execute(db);
}
