import { sql, type Kysely } from 'kysely';

/** Authorities of projects, what projects demand of certificates, and when certificates end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table certificate_authorities (
      authority_id text primary key,
      project_id text not null references projects on delete cascade,
      name text not null,
      certificate_pem text not null,
      fingerprint text not null,
      sealed bytea,
      sealed_under text,
      created_by jsonb not null,
      created_at timestamptz not null,
      ends_at timestamptz not null,
      unique (project_id, fingerprint)
    )`.execute(db);
  await sql`
    alter table projects add column certificate_days integer not null default 30,
      add column demands_certificates boolean not null default false`.execute(db);
  await sql`
    alter table device_certificates add column ends_at timestamptz,
      add column authority_id text references certificate_authorities on delete set null`.execute(db);
  await sql`
    create index device_certificates_by_authority on device_certificates (authority_id) where authority_id is not null;
    create index device_certificates_by_end on device_certificates (ends_at) where ends_at is not null;
  `.execute(db);
}
