import { sql, type Kysely } from 'kysely';

/** When a pending alert fires, whether hubs look after rules, and how full the disk of a node is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table alerts add column fires_at timestamptz not null default now()`.execute(db);
  await sql`
    create table alert_watch (
      is_only boolean primary key default true check (is_only),
      watched_at timestamptz not null,
      resumed_at timestamptz
    )`.execute(db);
  await sql`alter table cluster_nodes add column disk_percent integer`.execute(db);
}
