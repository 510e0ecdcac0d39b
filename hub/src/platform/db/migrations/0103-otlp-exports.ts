import { sql, type Kysely } from 'kysely';

/**
 * Exports of projects over OTLP. What is exported is read where it is kept, in the order of the transactions that wrote it: rows of a project that exports them have a position, and only
 * these are in the indexes. Audit events have one already.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table otlp_exports (
      project_id text primary key references projects on delete cascade,
      is_enabled boolean not null,
      endpoint text,
      sealed bytea,
      sealed_under text,
      streams text[] not null,
      min_severity text,
      filter text
    )`.execute(db);
  await sql`
    create table otlp_streams (
      project_id text not null references otlp_exports on delete cascade,
      stream text not null,
      cursor_position bigint not null,
      cursor_device text not null default '',
      cursor_id text not null default '',
      sent bigint not null default 0,
      dropped bigint not null default 0,
      set_aside bigint not null default 0,
      last_sent_at timestamptz,
      last_error text,
      last_error_at timestamptz,
      attempts integer not null default 0,
      next_attempt_at timestamptz not null,
      lease text,
      leased_until timestamptz,
      measured_position bigint,
      measured_device text,
      measured_id text,
      measured_bytes bigint not null default 0,
      primary key (project_id, stream)
    )`.execute(db);
  await addPositions(db);
}

async function addPositions(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table device_events add column export_project text, add column export_position bigint;
    alter table device_connections add column export_project text, add column export_position bigint, add column export_end_position bigint;
    alter table operation_events add column position bigint;
    alter table operation_events alter column position set default audit_position();
    create index device_events_exported on device_events (export_project, export_position, device_id, event_id) where export_project is not null;
    create index device_connections_exported on device_connections (export_project, export_position, device_id, connection_id)
      where export_project is not null and export_position is not null;
    create index device_connections_exported_end on device_connections (export_project, export_end_position, device_id, connection_id)
      where export_project is not null and export_end_position is not null;
    create index operation_events_by_position on operation_events (project_id, position) where position is not null;
  `.execute(db);
}
