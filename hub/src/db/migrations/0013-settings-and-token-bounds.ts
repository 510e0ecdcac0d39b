import { sql, type Kysely } from 'kysely';

/** Adds the settings of the instance, the bounds of user tokens, and requests of command lines to sign in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table instance_settings (
      key text primary key,
      value jsonb,
      sealed bytea,
      sealed_under text,
      changed_at timestamptz not null
    );
    alter table user_tokens
      add column is_read_only boolean not null default false,
      add column project_ids text[],
      add column repository_ids text[],
      add column is_administrator boolean not null default false,
      add column expires_at timestamptz,
      add column expiry_announced_at timestamptz;
    create index user_tokens_by_expiry on user_tokens (expires_at) where expires_at is not null;
    create table login_requests (
      request_id text primary key,
      secret_hash bytea not null,
      user_code text not null unique,
      network text not null,
      address text,
      name text not null,
      is_read_only boolean not null,
      project_ids text[],
      repository_ids text[],
      is_administrator boolean not null,
      token_valid_secs integer not null,
      user_id text references users on delete cascade,
      is_approved boolean,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      polled_at timestamptz
    );
    create index login_requests_by_network on login_requests (network);
    create index login_requests_by_expiry on login_requests (expires_at);
    alter table queued_mails drop constraint if exists queued_mails_kind_check;
    alter table queued_mails add column token_id text;
  `.execute(db);
}
