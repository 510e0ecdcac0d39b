import { readdir } from 'node:fs/promises';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Tables } from './tables.ts';

const folder = new URL('./migrations/', import.meta.url);

/** Every migration of the folder by the name of its file; forward only, run in the order of their names. */
async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}-[a-z0-9-]+\.[jt]s$/.test(file));
  const read = files.map(async (file) => {
    const migration = (await import(new URL(file, folder).href)) as Migration;
    return [file.slice(0, -'.ts'.length), migration] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/**
 * Brings the database to the newest schema; safe when several nodes start at once.
 * A database that a newer hub has migrated further is left unchanged.
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrations = await readMigrations();
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
  });
  if (await isMadeByNewerHub(db, migrations)) return;
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** A schema also works for the previous version of the hub, which leaves a newer schema unchanged. */
async function isMadeByNewerHub(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<boolean> {
  const { rows: tables } = await sql`select 1 from pg_tables where tablename = 'schema_migrations'`.execute(
    db,
  );
  if (tables.length === 0) return false;
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db);
  return rows.some(({ name }) => !Object.hasOwn(migrations, name));
}
