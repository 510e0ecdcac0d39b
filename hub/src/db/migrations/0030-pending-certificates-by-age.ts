import { sql, type Kysely } from 'kysely';

/** Finds those pending certificates that wait longest without reading the older ones that were decided long ago, of which there are many more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index device_certificates_pending_by_age on device_certificates (created_at, certificate_id)
      where status = 'Pending'`.execute(db);
}
