import { sql, type Kysely } from 'kysely';

/** Whether the label that a device had or gets by a change comes from its own report, and which changes are being deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table fleet_changes add column is_pruned boolean not null default false;
    alter table fleet_change_devices
      add column is_reported boolean not null default false,
      add column was_reported boolean not null default false;
  `.execute(db);
}
