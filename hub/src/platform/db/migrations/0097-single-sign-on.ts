import { sql, type Kysely } from 'kysely';

/** Which settings of the provider a sign-in has proved, at which session there a session here hangs, and the logout tokens that were used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table provider_tests (
      issuer text not null,
      client_id text not null,
      tested_at timestamptz not null,
      primary key (issuer, client_id)
    )`.execute(db);
  await sql`
    create table used_logout_tokens (
      issuer text not null,
      token_id text not null,
      expires_at timestamptz not null,
      primary key (issuer, token_id)
    )`.execute(db);
  for (const table of ['user_sessions', 'pending_sign_ins'])
    await sql`alter table ${sql.table(table)} add column issuer text, add column subject text, add column provider_session_id text`.execute(
      db,
    );
  await sql`create index user_sessions_by_identity on user_sessions (issuer, subject) where issuer is not null`.execute(
    db,
  );
}
