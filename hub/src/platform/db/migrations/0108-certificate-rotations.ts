import { sql, type Kysely } from 'kysely';

/** Rotations of the certificates of devices. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table certificate_rotations (
      rotation_id text primary key,
      project_id text not null,
      device_id text not null references all_devices on delete cascade,
      nonce text not null,
      state text not null check (state in ('Open', 'Announced', 'Arrived', 'RolledBack', 'Completed', 'Expired', 'Cancelled')),
      grace_secs integer not null,
      reason text,
      started_by jsonb not null,
      started_at timestamptz not null,
      until timestamptz not null,
      certificate_id text,
      announced_at timestamptz,
      arrived_at timestamptz,
      old_ends_at timestamptz,
      ended_at timestamptz,
      problem text
    )`.execute(db);
  await createIndexes(db);
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  await sql`create unique index certificate_rotations_running on certificate_rotations (device_id) where ended_at is null`.execute(
    db,
  );
  await sql`create index certificate_rotations_by_device on certificate_rotations (device_id, started_at, rotation_id)`.execute(
    db,
  );
  await sql`create index certificate_rotations_by_project on certificate_rotations (project_id, started_at, rotation_id)`.execute(
    db,
  );
  await sql`create index certificate_rotations_open on certificate_rotations (until) where state = 'Open'`.execute(
    db,
  );
  await sql`create index certificate_rotations_announced on certificate_rotations (device_id) where state = 'Announced'`.execute(
    db,
  );
  await sql`create index certificate_rotations_arrived on certificate_rotations (old_ends_at) where state = 'Arrived'`.execute(
    db,
  );
}
