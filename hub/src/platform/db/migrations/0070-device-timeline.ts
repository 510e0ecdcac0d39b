import { sql, type Kysely } from 'kysely';

/** What the timeline of a device tells beside its connections and events: why those ended, who was refused, and how properties changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table device_connections add column end_cause text, add column end_detail text;
    create index device_connections_live_by_address on device_connections (address) where ended_at is null;
    create index devices_by_fingerprint on all_devices (fingerprint_id);
    create table refused_arrivals (
      device_id text primary key references all_devices on delete cascade,
      count bigint not null,
      arrivals jsonb not null
    );
    create table device_property_changes (
      device_id text not null references all_devices on delete cascade,
      changed_at timestamptz not null,
      name text not null,
      last_changed_at timestamptz not null,
      change text not null,
      value jsonb,
      value_before jsonb,
      actor jsonb,
      primary key (device_id, changed_at, name),
      check (change in ('Set', 'Patched', 'Removed'))
    );
    create index device_property_changes_by_age on device_property_changes using brin (changed_at);
  `.execute(db);
}
