import { sql, type Kysely } from 'kysely';

/** Second factors, and sign-ins that wait for one. These are no sessions, so that a hub of an earlier release does not know them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table totp_factors (
      user_id text primary key references users on delete cascade,
      sealed bytea not null,
      sealed_under text not null,
      last_step bigint not null,
      wrong_codes integer not null default 0,
      last_wrong_at timestamptz,
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    create table totp_enrolments (
      user_id text primary key references users on delete cascade,
      sealed bytea not null,
      sealed_under text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    create table recovery_codes (
      user_id text not null references users on delete cascade,
      code_hash bytea not null,
      used_at timestamptz,
      primary key (user_id, code_hash)
    )`.execute(db);
  await sql`
    create table pending_sign_ins (
      pending_id text primary key,
      secret_hash bytea not null,
      user_id text not null references users on delete cascade,
      methods text[] not null,
      wants text not null,
      user_agent text not null,
      address text,
      valid_for_secs integer not null,
      tries integer not null default 0,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index pending_sign_ins_by_user on pending_sign_ins (user_id, created_at)`.execute(db);
  await sql`create index pending_sign_ins_by_expiry on pending_sign_ins (expires_at)`.execute(db);
  await sql`alter table users add column factor_grace_from timestamptz`.execute(db);
  // E-mails get new kinds; only the hub's own statements write them.
  await sql`alter table queued_mails drop constraint queued_mails_kind_check`.execute(db);
}
