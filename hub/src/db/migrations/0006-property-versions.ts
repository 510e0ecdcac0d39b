import { sql, type Kysely } from 'kysely';

/** Stores the last versions of removed properties, so that a version never identifies two values. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table devices add column property_version_floor bigint not null default 0;
    create table removed_device_properties (
      device_id text not null references devices on delete cascade,
      name text not null,
      version bigint not null,
      removed_at timestamptz not null,
      primary key (device_id, name)
    );
  `.execute(db);
}
