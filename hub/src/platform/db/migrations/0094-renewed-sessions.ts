import { sql, type Kysely } from 'kysely';

/** A session gets a new token when its user confirms who it is. Until then its id is the key of its token, as earlier hubs write it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table user_sessions add column token_key text`.execute(db);
  await sql`create unique index user_sessions_by_token on user_sessions (token_key) where token_key is not null`.execute(
    db,
  );
}
