import { sql, type Kysely } from 'kysely';

/** Adds unconfirmed registrations, their rate limits, and queued e-mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column consented_to_terms_at timestamptz,
      add column consented_to_marketing_at timestamptz;
    create table user_registrations (
      user_id text primary key,
      email text not null,
      display_name text,
      password_hash text not null,
      consented_to_marketing boolean not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      email_sent_at timestamptz
    );
    create index user_registrations_by_email on user_registrations (email, created_at);
    create index user_registrations_by_expiry on user_registrations (expires_at);
    create table request_counts (
      subject text primary key,
      requests integer not null,
      window_ends_at timestamptz not null
    );
    create table queued_mails (
      mail_id text primary key,
      kind text not null check (kind in ('Activation', 'AddressTaken', 'PasswordChanged')),
      user_id text not null,
      attempts integer not null default 0,
      created_at timestamptz not null,
      next_attempt_at timestamptz not null
    );
    create index queued_mails_due on queued_mails (next_attempt_at);
  `.execute(db);
}
