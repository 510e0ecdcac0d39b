import { sql, type Kysely } from 'kysely';

/**
 * The fingerprints and certificates of a project that were deleted lately, so that a token does not let them in again by itself; and an index by which an enrolment finds whether another
 * device has its certificate. Connections note from which address they come, since two of one device at once may be of two machines with one identity. A hub of the release before notes
 * neither.
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
    alter table device_connections add column address text;
  `.execute(db);
}
