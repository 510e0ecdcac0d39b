import { sql, type Kysely } from 'kysely';
import { isOlderRelease } from './releases.ts';
import type { Tables } from './tables.ts';

/** The schema of the database and this release, which do not fit; the message is one sentence for the operator. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** The table with the names of the migrations that were run; beside it is one for a lock. */
export const migrationTableName = 'schema_migrations';
/** The table with the oldest release that may run on the schema; migrations write it. */
export const compatibilityTableName = 'schema_compatibility';

/** The migration that makes what those from before the first release made one after the other. */
const folded = '0001-first-release';
const [firstOfFolded, lastOfFolded] = ['0001-first-tables', '0063-addresses-of-new-certificates'];
/** The last commit that has those. */
const commitBeforeFold = '0664ebf8a';

/** The names of migrations as this release has them. Throws a SchemaError with a sentence where only some of those ran that were folded into one. */
export function foldNames(names: readonly string[], of: 'database' | 'backup' = 'database'): string[] {
  if (!names.includes(firstOfFolded)) return [...names];
  if (names.includes(lastOfFolded)) return [folded, ...names.filter((name) => name > lastOfFolded)];
  throw new SchemaError(
    of === 'database'
      ? `The database is from before the first release of Corral: start commit ${commitBeforeFold} of Corral on it once, and then this one.`
      : `The backup is from before the first release of Corral: restore it with commit ${commitBeforeFold} of Corral, start that once, and then this one.`,
  );
}

/** Writes the name of the folded migration in place of theirs into a database where they ran; safe when several nodes do. */
export async function recordFold(db: Kysely<Tables>): Promise<void> {
  if (!(await hasTable(db, migrationTableName))) return;
  await sql`
    with gone as (
      delete from schema_migrations where name <> ${folded} and name <= ${lastOfFolded} collate "C" returning timestamp
    ) insert into schema_migrations (name, timestamp) select ${folded}, max(timestamp) from gone having count(*) > 0`.execute(
    db,
  );
}

/** What the database's schema is, beside the migrations of this release. */
export interface SchemaState {
  /** Migrations of this release that have not run; all of them on an empty database. */
  readonly missing: readonly string[];
  /** Migrations that ran and that this release does not have: a newer one has migrated the database. */
  readonly unknown: readonly string[];
  /** The oldest release that may run on this schema; undefined where no migration has said it yet. */
  readonly oldestRelease: string | undefined;
}

/** Compares the database with the names of the migrations of this release. Rejects with a SchemaError where it is too old for it. */
export async function schemaState(db: Kysely<Tables>, names: readonly string[]): Promise<SchemaState> {
  const applied = (await hasTable(db, migrationTableName)) ? await appliedMigrations(db) : [];
  return {
    missing: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)),
    oldestRelease: (await hasTable(db, compatibilityTableName)) ? await oldestRelease(db) : undefined,
  };
}

/** Why a release cannot run on a schema that a newer one has migrated, in a sentence; undefined if it can. */
export function tooOldMessage(release: string, { unknown, oldestRelease: oldest }: SchemaState) {
  if (unknown.length === 0 || oldest === undefined || !isOlderRelease(release, oldest)) return undefined;
  return `The database was upgraded for Corral ${oldest} and newer, and this is ${release}: start one of those, or restore the backup from before the upgrade.`;
}

/** Rejects with a SchemaError while a hub runs on the database that is older than the oldest release that may run on what is to come. */
export async function refuseBesideOlderHubs(db: Kysely<Tables>, oldest: string): Promise<void> {
  if (!(await hasTable(db, 'cluster_nodes'))) return;
  const { rows } = await sql<{ name: string | null; version: string | null }>`
    select name, version from cluster_nodes where lease_until > clock_timestamp()`.execute(db);
  const older = rows.find(({ version }) => isOlderRelease(version ?? '0.0.0', oldest));
  if (older === undefined) return;
  const which = `${older.name ?? 'without a name'}, release ${older.version ?? 'unknown'}`;
  throw new SchemaError(
    `Another hub (${which}) runs on this database, and this release changes it in a way that only ${oldest} and newer can work with: upgrade all hubs to ${oldest} first, or stop them.`,
  );
}

async function hasTable(db: Kysely<Tables>, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 where to_regclass(${name}) is not null`.execute(db);
  return rows.length > 0;
}

/** The names of the migrations that made the schema of a database, as this release has them, in their order. Rejects with a SchemaError where it does not have them. */
export async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db);
  return foldNames(rows.map(({ name }) => name));
}

/** The oldest release that can run on the schema; undefined where no migration has said it. */
export async function oldestRelease(db: Kysely<Tables>): Promise<string | undefined> {
  const { rows } = await sql<{ release: string }>`
    select oldest_release as release from schema_compatibility`.execute(db);
  return rows[0]?.release;
}

/** What searches of devices have of the extension for trigrams. Without the index they find the same, but read all texts of a project. */
export interface TrigramState {
  readonly isIndexed: boolean;
  /** The quoted schema that the extension is in; null where it is not installed. */
  readonly schema: string | null;
  /** Whether the role may use that schema. */
  readonly mayUse: boolean;
}

/** Reads it, of the database and role of the caller. */
export async function trigramState(db: Kysely<Tables>): Promise<TrigramState> {
  const { rows } = await sql<TrigramState>`
    select to_regclass('device_texts_by_trigram') is not null as "isIndexed", e.extnamespace::regnamespace::text as schema,
      coalesce(has_schema_privilege(e.extnamespace, 'usage'), true) as "mayUse"
    from (values (true)) as always left join pg_extension e on e.extname = 'pg_trgm'`.execute(db);
  return rows[0] ?? { isIndexed: false, schema: null, mayUse: true };
}
