import { readdir } from 'node:fs/promises';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { isOlderRelease } from './releases.ts';
import {
  migrationTableName,
  recordFold,
  refuseBesideOlderHubs,
  SchemaError,
  schemaState,
  tooOldMessage,
} from './schema-state.ts';
import type { Tables } from './tables.ts';

/** A migration as its file exports it. */
export interface HubMigration extends Migration {
  /** Only hubs of this release and newer can run on the schema from then on; undefined: all that could before. */
  readonly oldestRelease?: string;
}

const folder = new URL('./migrations/', import.meta.url);

/** Every migration of the folder by the name of its file; forward only, run in the order of their names. */
export async function readMigrations(): Promise<Record<string, HubMigration>> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}-[a-z0-9-]+\.[jt]s$/.test(file));
  const read = files.map(async (file) => {
    const migration = (await import(new URL(file, folder).href)) as HubMigration;
    return [file.slice(0, -'.ts'.length), migration] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** How to migrate. */
export interface MigrateOptions {
  /** The release of this hub, such as `0.2.0`. Without it, that of other hubs and of the schema is not looked at. */
  readonly release?: string;
  /** By default those of this release. */
  readonly migrations?: Readonly<Record<string, HubMigration>>;
}

/**
 * Brings the database to the newest schema; safe when several nodes start at once. A database that a newer hub has migrated further is left
 * unchanged. Rejects with a SchemaError, whose message is a sentence for the operator, where this release cannot run on it, or where a hub runs that
 * cannot work with what is to change.
 */
export async function migrate(db: Kysely<Tables>, options: MigrateOptions = {}): Promise<void> {
  const { release, migrations = await readMigrations() } = options;
  const state = await schemaState(db, Object.keys(migrations));
  const refusal = release === undefined ? undefined : tooOldMessage(release, state);
  if (refusal !== undefined) throw new SchemaError(refusal);
  if (state.unknown.length > 0) return;
  const oldest = newestOf(state.missing.map((name) => migrations[name]?.oldestRelease));
  if (release !== undefined && oldest !== undefined) await refuseBesideOlderHubs(db, oldest);
  await recordFold(db);
  const { error } = await migratorOf(db, migrations).migrateToLatest();
  if (error !== undefined) throw error;
}

/** Gives an empty database the schema of a migration and those before it. */
export async function migrateTo(db: Kysely<Tables>, name: string): Promise<void> {
  const { error } = await migratorOf(db, await readMigrations()).migrateTo(name);
  if (error !== undefined) throw error;
}

/** The names of the migrations that this hub knows, in their order. */
export async function knownMigrations(): Promise<string[]> {
  return Object.keys(await readMigrations()).toSorted();
}

function migratorOf(db: Kysely<Tables>, migrations: Readonly<Record<string, HubMigration>>): Migrator {
  const noting = Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => [name, notingRelease(migration)]),
  );
  return new Migrator({
    db,
    provider: { getMigrations: async () => noting },
    migrationTableName,
    migrationLockTableName: `${migrationTableName}_lock`,
  });
}

/** The same migration, which also writes down the oldest release that can run after it, in the same transaction. */
function notingRelease({ up, oldestRelease }: HubMigration): Migration {
  if (oldestRelease === undefined) return { up };
  return {
    async up(db) {
      await up(db);
      await sql`update schema_compatibility set oldest_release = ${oldestRelease}`.execute(db);
    },
  };
}

function newestOf(releases: readonly (string | undefined)[]): string | undefined {
  return releases.reduce(
    (newest, release) =>
      newest === undefined || (release !== undefined && isOlderRelease(newest, release)) ? release : newest,
    undefined,
  );
}
