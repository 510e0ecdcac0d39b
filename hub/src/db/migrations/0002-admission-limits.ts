import { sql, type Kysely } from 'kysely';

/** Lets the admission of devices count what is new and what is pending without reading whole tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index device_certificates_by_age on device_certificates (created_at);
    create index device_certificates_pending on device_certificates (device_id) where status = 'Pending';
  `.execute(db);
}
