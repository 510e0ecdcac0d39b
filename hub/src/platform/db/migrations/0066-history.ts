import { sql, type Kysely } from 'kysely';

/** Figures of projects, nodes and the instance over time, and the events that are not added to them yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table history (
      at timestamptz not null,
      kind text not null,
      subject text not null,
      step_secs integer not null,
      watched_secs integer,
      connected integer,
      connected_low integer,
      connected_high integer,
      disconnected integer,
      waiting integer,
      users integer,
      projects integer,
      stored_bytes bigint,
      memory_bytes bigint,
      load real,
      traces bigint,
      debugs bigint,
      infos bigint,
      warnings bigint,
      errors bigint,
      criticals bigint,
      primary key (kind, subject, step_secs, at),
      check (kind in ('Project', 'Node', 'Instance')),
      check (step_secs in (60, 3600, 86400))
    );
    create table event_count_changes (
      project_id text not null,
      minute timestamptz not null,
      severity text not null,
      events integer not null
    );
    alter table cluster_nodes add column memory_bytes bigint, add column load real;
  `.execute(db);
}
