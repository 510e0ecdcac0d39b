import { constants, createZstdCompress } from 'node:zlib';
import { sql } from 'kysely';
import { to as copyTo } from 'pg-copy-streams';
import type { Database, DatabaseAddress } from '../../platform/db/connect.ts';
import { appliedMigrations } from '../../platform/db/schema-state.ts';
import { openSingleConnection, type SingleConnection } from '../../platform/db/single-connection.ts';
import { vaultKeysInUse, instanceIdOf } from '../../domains/instance/index.ts';
import { storedSequences, storedTables, type StoredTable } from './database-objects.ts';
import { countingStep, writeStoredFile } from './hashed-file.ts';
import type { Manifest, StoredFile, TableFile } from './manifest.ts';
import type { Progress } from './progress.ts';

/** A consistent snapshot of the database. */
export interface Snapshot extends Pick<
  Manifest,
  'instanceId' | 'migrations' | 'databaseBytes' | 'postgresVersion' | 'sequences'
> {
  readonly tables: readonly StoredTable[];
  /** The ids of the keys under which secrets are sealed. */
  readonly secretKeyIds: readonly string[];
  /** Runs work in a transaction that sees the snapshot; one runs at a time. */
  read<Result>(work: (connection: SingleConnection) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Takes a snapshot of the database, which is valid until `close`. It locks no table, so that the hub may add and remove partitions
 * meanwhile; if a table is removed before it was read, the backup fails.
 */
export async function openSnapshot(address: DatabaseAddress): Promise<Snapshot> {
  const holder = await openSingleConnection(address);
  const reader = await openSingleConnection(address).catch(async (error: unknown) => {
    await holder.close();
    throw error;
  });
  const close = async (): Promise<void> => {
    await Promise.all([holder.close(), reader.close()]);
  };
  try {
    const { id, ...taken } = await takeSnapshot(holder);
    return { ...taken, read: (work) => readSnapshot(reader, id, work), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const beginReading = 'begin isolation level repeatable read read only';

async function takeSnapshot({ client, db }: SingleConnection) {
  await client.query(beginReading);
  const { rows } = await sql<{ id: string; databaseBytes: number; postgresVersion: string }>`
    select pg_export_snapshot() as id, pg_database_size(current_database()) as "databaseBytes",
      current_setting('server_version') as "postgresVersion"`.execute(db);
  const { id = '', databaseBytes = 0, postgresVersion = '' } = rows[0] ?? {};
  return {
    id,
    databaseBytes,
    postgresVersion,
    instanceId: await instanceIdOf(db),
    migrations: await appliedMigrations(db),
    tables: await storedTables(db),
    sequences: await storedSequences(db),
    secretKeyIds: [...new Set(await vaultKeysInUse(db))].toSorted(),
  };
}

async function readSnapshot<Result>(
  connection: SingleConnection,
  snapshotId: string,
  work: (connection: SingleConnection) => Promise<Result>,
): Promise<Result> {
  await connection.client.query(beginReading);
  await sql`set transaction snapshot ${sql.lit(snapshotId)}`.execute(connection.db);
  const result = await work(connection);
  await connection.client.query('commit');
  return result;
}

/** Writes the rows of all tables, compressed, one file each. */
export async function dumpTables(
  snapshot: Snapshot,
  folder: string,
  under: string,
  progress: Progress,
): Promise<TableFile[]> {
  const files: TableFile[] = [];
  for (const table of snapshot.tables) {
    const path = `${under}/${files.length + 1}-${table.table.replaceAll(/\W/g, '_')}.copy.zst`;
    files.push(await dumpTable(snapshot, table, { folder, path, progress }));
  }
  return files;
}

/** Each table has a transaction of its own, so that it is locked only while it is read. */
function dumpTable(
  snapshot: Snapshot,
  { table, columns, partition }: StoredTable,
  to: { readonly folder: string; readonly path: string; readonly progress: Progress },
): Promise<TableFile> {
  return snapshot.read(async ({ client }) => {
    const names = columns.map((column) => client.escapeIdentifier(column)).join(', ');
    const rows = client.query(copyTo(`copy ${client.escapeIdentifier(table)} (${names}) to stdout`));
    const compress = createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
    });
    const steps = [countingStep(to.progress), compress];
    const file = await writeStoredFile(to.folder, to.path, rows, steps).catch((error: unknown) => {
      throw (error as { code?: unknown }).code === undefinedTable ? removedMeanwhile(table, error) : error;
    });
    return {
      ...file,
      table,
      columns,
      rows: rows.rowCount,
      ...(partition === undefined ? {} : { partition }),
    };
  });
}

const undefinedTable = '42P01';

function removedMeanwhile(table: string, cause: unknown): Error {
  return new Error(`The table ${table} was removed while the backup was made: run it again.`, { cause });
}

/** How many bytes the available assets have: in the data folder, and in S3-compatible stores. */
export async function assetBytes(db: Database): Promise<{ onDisk: number; inStores: number }> {
  const { rows } = await sql<{ onDisk: number; inStores: number }>`
    select coalesce(sum(size) filter (where store_id is null), 0)::bigint as "onDisk",
      coalesce(sum(size) filter (where store_id is not null), 0)::bigint as "inStores"
    from assets where status = 'Available'`.execute(db);
  return rows[0] ?? { onDisk: 0, inStores: 0 };
}

/** Writes the available assets to a file that `readAssetList` reads: one line each, in the order of their keys. */
export function dumpAssetNames(snapshot: Snapshot, folder: string, path: string): Promise<StoredFile> {
  return snapshot.read(({ client }) =>
    writeStoredFile(
      folder,
      path,
      client.query(
        copyTo(`copy (select asset_id, repository_id, encode(digest, 'hex'), size, store_id, storage_key from assets
          where status = 'Available' order by (repository_id || '/') collate "C", digest) to stdout`),
      ),
    ),
  );
}
