import { sql, type Kysely } from 'kysely';

/** Finds a page of packages by kind and by number of versions without sorting all. Packages without a kind come last in either direction, so they have an index of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index packages_by_kind on packages (repository_id, lower(kind), lower(name), name, package_id)
      where kind is not null;
    create index packages_without_kind on packages (repository_id, lower(name), name, package_id)
      where kind is null;
    create index packages_by_versions on packages (repository_id, version_count, lower(name), name, package_id)`.execute(
    db,
  );
}
