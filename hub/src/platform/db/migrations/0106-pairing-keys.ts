import { sql, type Kysely } from 'kysely';

/** Keys that pair devices, and deployment tokens for one device each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pairing_keys (
      pairing_key_id text primary key,
      project_id text not null references projects (project_id) on delete cascade,
      selector text not null unique,
      digest bytea not null,
      name text,
      tries integer not null default 0,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      revoked_at timestamptz,
      token_id text
    )`.execute(db);
  await sql`create index pairing_keys_newest on pairing_keys (project_id, created_at, pairing_key_id)`.execute(
    db,
  );
  await sql`
    alter table deployment_tokens
      add column is_for_one boolean not null default false,
      add column device_id text,
      add column accepts_until timestamptz`.execute(db);
  await sql`create index deployment_tokens_by_device on deployment_tokens (device_id) where device_id is not null`.execute(
    db,
  );
}
