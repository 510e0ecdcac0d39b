import { sql, type Kysely } from 'kysely';

/**
 * The fingerprints and certificates of a project that were deleted lately, so that a token does not let them in again by itself; and an index by which an enrolment finds whether another
 * device has its certificate. What a hub of the release before deletes is not noted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deleted_identities (
      project_id text not null,
      identity text not null,
      deleted_at timestamptz not null,
      primary key (project_id, identity)
    );
    create index deleted_identities_by_age on deleted_identities (deleted_at);
    create index device_certificates_by_fingerprint on device_certificates (fingerprint);
  `.execute(db);
}
