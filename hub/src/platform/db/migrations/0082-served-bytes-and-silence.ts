import { sql, type Kysely } from 'kysely';

/** What the nodes served of the assets of a repository in an hour or a day, null where none counted it; and from when on devices that are away are silent for longer than usual. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table history add column served_bytes bigint;
    create table device_silences (
      device_id text primary key references all_devices on delete cascade,
      last_seen_at timestamptz not null,
      silent_from timestamptz
    );
  `.execute(db);
}
