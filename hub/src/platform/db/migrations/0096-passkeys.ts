import { sql, type Kysely } from 'kysely';

/** Passkeys, and the challenges that were answered and are not good again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkeys (
      credential_id text primary key,
      user_id text not null references users on delete cascade,
      name text not null,
      rp_id text not null,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      is_backed_up boolean not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db);
  await sql`create index passkeys_of_user on passkeys (user_id)`.execute(db);
  await sql`
    create table used_challenges (
      challenge text primary key,
      expires_at timestamptz not null
    )`.execute(db);
}
