import { sql, type Kysely } from 'kysely';

/** Terminals on devices: their policies, who opened which, the tickets that enter them, and what was recorded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column terminal_policy jsonb`.execute(db);
  await createSessions(db);
  await sql`
    create table terminal_tickets (
      ticket_hash bytea primary key,
      session_id text not null references terminal_sessions on delete cascade,
      user_id text not null references users on delete cascade,
      login_session_id text references user_sessions on delete cascade,
      token_id text references user_tokens on delete cascade,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`
    create index terminal_tickets_by_session on terminal_tickets (session_id);
    create index terminal_tickets_by_user on terminal_tickets (user_id);
    create index terminal_tickets_by_login on terminal_tickets (login_session_id) where login_session_id is not null;
    create index terminal_tickets_by_token on terminal_tickets (token_id) where token_id is not null;
  `.execute(db);
  await sql`
    create table terminal_chunks (
      session_id text not null references terminal_sessions on delete cascade,
      number integer not null,
      sealed bytea not null,
      digest bytea not null,
      primary key (session_id, number)
    )`.execute(db);
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table terminal_sessions (
      session_id text primary key,
      project_id text not null references projects on delete cascade,
      device_id text not null,
      device_name text,
      opened_by jsonb not null,
      opener_id text not null,
      device_user text,
      reason text,
      state text not null,
      approval text not null,
      recording text not null,
      opened_at timestamptz not null,
      decided_by jsonb,
      decided_at timestamptz,
      node_id text,
      started_at timestamptz,
      end_wanted_by jsonb,
      ended_at timestamptz,
      end_reason text,
      ended_by jsonb,
      exit_status integer,
      sealed bytea,
      sealed_under text,
      recorded_bytes bigint not null default 0,
      stored_bytes bigint not null default 0,
      gaps integer not null default 0,
      digest bytea
    )`.execute(db);
  await sql`
    create index terminal_sessions_by_project on terminal_sessions (project_id, opened_at, session_id);
    create index terminal_sessions_by_device on terminal_sessions (device_id, opened_at, session_id);
    create index terminal_sessions_open on terminal_sessions (device_id) where ended_at is null;
    create index terminal_sessions_ended on terminal_sessions (ended_at) where ended_at is not null;
  `.execute(db);
}
