import { sql, type Kysely } from 'kysely';

/** Which jobs of CIs may publish to a repository, their tokens, and which tokens of CIs were used or refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table publishers (
      publisher_id text primary key,
      repository_id text not null references repositories on delete cascade,
      user_id text not null references users on delete cascade,
      name text not null,
      kind text not null,
      issuer text not null,
      conditions jsonb not null,
      allows_pull_requests boolean not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      last_used_by text
    );
    create index publishers_by_repository on publishers (repository_id);
    create index publishers_by_user on publishers (user_id);
    create table publishing_refusals (
      refusal_number bigint generated always as identity primary key,
      repository_id text not null references repositories on delete cascade,
      refused_at timestamptz not null,
      job text not null,
      reason text not null
    );
    create index publishing_refusals_by_repository on publishing_refusals (repository_id, refusal_number);
    create table used_id_tokens (
      replay_key bytea primary key,
      expires_at timestamptz not null
    );
    create index used_id_tokens_by_expiry on used_id_tokens (expires_at);
    alter table user_tokens add column publisher_id text references publishers on delete cascade;
    create index user_tokens_by_publisher on user_tokens (publisher_id) where publisher_id is not null;
    alter table package_versions add column created_by_token_id text;
  `.execute(db);
}
