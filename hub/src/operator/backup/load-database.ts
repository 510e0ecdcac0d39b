import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Database } from '../../platform/db/connect.ts';
import { migrate, migrateTo } from '../../platform/db/migrate.ts';
import { appliedMigrations, foldNames } from '../../platform/db/schema-state.ts';
import { dropForLoad } from './drop-for-load.ts';
import { DamagedBackupError } from './DamagedBackupError.ts';
import { storedTables } from './database-objects.ts';
import { hashingStep, mustBeSame } from './hashed-file.ts';
import type { Manifest, TableFile } from './manifest.ts';
import type { Progress } from './progress.ts';
import { adaptToServer } from './adapt-to-server.ts';

/** The dependencies of loading a database. */
export interface LoadParts {
  /** A transaction on an empty database. */
  readonly tx: Database;
  /** The connection of the transaction. */
  readonly client: pg.Client;
  readonly folder: string;
  readonly manifest: Manifest;
  readonly progress: Progress;
}

/**
 * Creates the schema of the backup by running the same migrations, loads the rows, and migrates both to the schema of this hub. Resolves
 * with the names of tables that no migration creates, such as those of other programs in the same schema,
 * which are left out.
 */
export async function loadDatabase({ tx, client, folder, manifest, progress }: LoadParts): Promise<string[]> {
  const { tables } = manifest;
  const migrations = foldNames(manifest.migrations, 'backup');
  progress.step('Schema', 0);
  await migrateTo(tx, migrations.at(-1) ?? '');
  const made = await appliedMigrations(tx);
  if (made.join() !== migrations.join())
    throw new Error('The schema of the backup was made by other migrations than this hub knows.');
  const known = new Set((await storedTables(tx)).map(({ table }) => table));
  await addPartitions(tx, tables, known);
  const loaded = tables.filter(({ table }) => known.has(table));
  const dropped = await dropForLoad(tx);
  // Migrations have added rows, such as the name of the instance.
  await sql`truncate ${sql.join(loaded.map(({ table }) => sql.table(table)))}`.execute(tx);
  progress.step(
    'Database',
    loaded.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  );
  for (const table of loaded) await loadTable(client, folder, table, progress);
  progress.step('Indexes', 0);
  await sql`set local maintenance_work_mem = '128MB'`.execute(tx);
  await dropped.recreate();
  await setSequences(tx, manifest);
  await adaptToServer(tx);
  await migrate(tx);
  return tables.flatMap(({ table }) => (known.has(table) ? [] : [table]));
}

/** Adds the partitions that the hub itself has added. */
async function addPartitions(tx: Database, tables: readonly TableFile[], known: Set<string>): Promise<void> {
  for (const { table, partition } of tables) {
    if (partition === undefined || known.has(table)) continue;
    const { of, from, to } = partition;
    await sql`
      create table ${sql.table(table)} partition of ${sql.table(of)} for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(
      tx,
    );
    known.add(table);
  }
}

async function loadTable(
  client: pg.Client,
  folder: string,
  file: TableFile,
  progress: Progress,
): Promise<void> {
  const names = file.columns.map((column) => client.escapeIdentifier(column)).join(', ');
  // The table was made in this transaction: its rows need not be looked at again to see that all transactions see them.
  const copy = `copy ${client.escapeIdentifier(file.table)} (${names}) from stdin with (freeze)`;
  const rows = client.query(copyFrom(copy));
  const hashing = hashingStep(progress);
  await pipeline(createReadStream(join(folder, file.path)), hashing.step, createZstdDecompress(), rows);
  mustBeSame(file, hashing.result());
  if (rows.rowCount !== file.rows)
    throw new DamagedBackupError(
      `The backup is damaged: the table ${file.table} has ${rows.rowCount} rows instead of ${file.rows}.`,
    );
}

async function setSequences(tx: Database, { sequences }: Manifest): Promise<void> {
  for (const { name, lastValue, isCalled } of sequences)
    await sql`
      select setval(c.oid, ${lastValue}::bigint, ${isCalled}) from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S' and c.relname = ${name}`.execute(
      tx,
    );
}
