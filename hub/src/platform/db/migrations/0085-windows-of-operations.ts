import { sql, type Kysely } from 'kysely';

/** Operations wait for their maintenance windows; how a step reaches its device is nobody's choice any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table fleet_operations add column window_opens_at timestamptz, add column window_closes_at timestamptz;
    alter table device_operations drop column delivery;
  `.execute(db);
}
