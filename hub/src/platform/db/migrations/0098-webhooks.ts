import { sql, type Kysely } from 'kysely';

/** Webhooks, and what they send. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhooks (
      webhook_id text primary key,
      project_id text not null references projects on delete cascade,
      name text not null,
      url text not null,
      types text[] not null,
      sealed bytea not null,
      sealed_under text not null,
      former_sealed bytea,
      former_sealed_under text,
      former_until timestamptz,
      disabled text,
      failing_since timestamptz,
      last_accepted_at timestamptz,
      last_error text,
      created_by jsonb not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index webhooks_by_project on webhooks (project_id)`.execute(db);
  await createMessages(db);
  await sql`alter table queued_mails add column webhook_id text`.execute(db);
}

async function createMessages(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_messages (
      webhook_id text not null references webhooks on delete cascade,
      message_id text not null,
      type text not null,
      data jsonb not null,
      happened_at timestamptz not null,
      attempts integer not null default 0,
      next_attempt_at timestamptz,
      is_accepted boolean not null default false,
      last_attempt_at timestamptz,
      http_status integer,
      duration_ms integer,
      last_error text,
      primary key (webhook_id, message_id)
    )`.execute(db);
  await sql`create index webhook_messages_due on webhook_messages (webhook_id, next_attempt_at) where next_attempt_at is not null`.execute(
    db,
  );
  await sql`create index webhook_messages_newest on webhook_messages (webhook_id, happened_at desc, message_id desc)`.execute(
    db,
  );
}
