import { sql, type Kysely } from 'kysely';

/** Finds a page of the versions of a package by name without sorting all. Versions without a name come last in either direction, so they have an index of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index package_versions_by_name on package_versions (package_id, coalesce(natural_key(name), ''), version_id)
      where name is not null;
    create index package_versions_without_name on package_versions (package_id, version_id) where name is null`.execute(
    db,
  );
}
