import { sql, type Kysely } from 'kysely';

/** Changes of many devices at once, with a result for each of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table fleet_changes (
      change_id text primary key,
      project_id text not null references all_projects on delete cascade,
      change jsonb not null,
      undoes text,
      total integer not null,
      done integer not null default 0,
      failed integer not null default 0,
      created_by jsonb not null,
      created_at timestamptz not null,
      completed_at timestamptz
    );
    create index fleet_changes_of_project on fleet_changes (project_id, created_at desc, change_id desc);
    create index fleet_changes_unfinished on fleet_changes (change_id) where completed_at is null;

    create table fleet_change_devices (
      change_id text not null references fleet_changes on delete cascade,
      device_id text not null,
      name text,
      given jsonb,
      expected jsonb,
      before jsonb,
      status text not null default 'Pending',
      reason text,
      primary key (change_id, device_id),
      check (status in ('Pending', 'Done', 'Failed'))
    );
    create index fleet_change_devices_by_status on fleet_change_devices (change_id, status, device_id);
  `.execute(db);
}
