import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import * as firstTables from './migrations/0001-first-tables.ts';
import * as admissionLimits from './migrations/0002-admission-limits.ts';
import * as registrations from './migrations/0003-registrations.ts';
import * as connectionHistory from './migrations/0004-connection-history.ts';
import * as httpProxy from './migrations/0005-http-proxy.ts';
import * as propertyVersions from './migrations/0006-property-versions.ts';
import * as sealedKeys from './migrations/0007-sealed-keys.ts';
import * as listOrders from './migrations/0008-list-orders.ts';
import type { Tables } from './tables.ts';

/** Every migration by name; forward only, run in the order of their names. */
const migrations: Record<string, Migration> = {
  '0001-first-tables': firstTables,
  '0002-admission-limits': admissionLimits,
  '0003-registrations': registrations,
  '0004-connection-history': connectionHistory,
  '0005-http-proxy': httpProxy,
  '0006-property-versions': propertyVersions,
  '0007-sealed-keys': sealedKeys,
  '0008-list-orders': listOrders,
};

/**
 * Brings the database to the newest schema; safe when several nodes start at once.
 * A database that a newer hub has migrated further is left as it is.
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
  });
  if (await isMadeByNewerHub(db)) return;
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** A schema also serves the hub that is one version older: such a hub leaves a newer schema as it is. */
async function isMadeByNewerHub(db: Kysely<Tables>): Promise<boolean> {
  const { rows: tables } = await sql`select 1 from pg_tables where tablename = 'schema_migrations'`.execute(
    db,
  );
  if (tables.length === 0) return false;
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db);
  return rows.some(({ name }) => !Object.hasOwn(migrations, name));
}
