import { sql } from 'kysely';
import type { DiskStorage } from '../../domains/assets/storage/disk/disk-storage.ts';
import type { Storages } from '../../domains/assets/storage/storages.ts';
import type { Database, DatabaseAddress } from '../../platform/db/connect.ts';
import { knownMigrations } from '../../platform/db/migrate.ts';
import { foldNames } from '../../platform/db/schema-state.ts';
import { openSingleConnection, type SingleConnection } from '../../platform/db/single-connection.ts';
import { makeDataFolder } from '../../platform/files/data-folder.ts';
import { beginRestore, endRestore, hasUnfinishedRestore } from '../../platform/files/unfinished-restore.ts';
import {
  type CurrentStore,
  claimStores,
  findUnclaimedStores,
  leaveStoresUnclaimed,
  type UnclaimedStores,
} from '../../domains/assets/index.ts';
import type { ListedAsset } from './asset-list.ts';
import { checkBackup } from './check-backup.ts';
import { anyTable } from './database-objects.ts';
import { forgetWaiting } from './forget-waiting.ts';
import { loadDatabase } from './load-database.ts';
import { mustHaveManifest, type Manifest } from './manifest.ts';
import { inStore, moveRestoredAssets } from './move-restored-assets.ts';
import type { Progress } from './progress.ts';
import { missingAssetBytes, restoreAssets } from './restore-assets.ts';
import { isRestoredBy, noteRestore } from './restored-database.ts';
import { mustHaveSpace } from './save-backup.ts';

/** Where a backup is restored to. */
export interface RestoreTarget {
  readonly dataDir: string;
  /** The assets in the data folder. */
  readonly disk: DiskStorage;
  readonly jobsSchema: string;
  /** Whether the database is in the data folder. */
  readonly isEmbedded: boolean;
  /** Throws an Error with a sentence if a database already exists, as far as that can be seen without starting it. */
  refuseDatabase(): Promise<void>;
  /** Starts the server if it is embedded. */
  openDatabase(): Promise<{ readonly address: DatabaseAddress; close(): Promise<void> }>;
  /** Throws an Error with a sentence unless the key of the secrets of the backup is there. */
  mustHaveKey(manifest: Manifest): Promise<void>;
  /** Stores the key of the backup, if the backup has one and the hub has none. */
  placeKey(manifest: Manifest): Promise<void>;
  /** The storages that the restored database knows. */
  storages(db: Database): Pick<Storages, 'of'>;
  /** Where the assets of all S3-compatible stores go that the backup has; undefined: back to the stores that they are from. */
  readonly newStore: NewStore | undefined;
  /** Whether the restored hub replaces the one that was backed up, so that nobody else uses the stores. */
  readonly replacesOriginal: boolean;
}

/** A store that takes the place of those in a backup. */
export interface NewStore {
  /** Throws an Error with a sentence if it cannot be used. */
  check(): Promise<void>;
  /** Makes it the store of the instance. */
  save(tx: Database): Promise<CurrentStore>;
}

/** A restored backup. */
export interface RestoredBackup<Verdict> {
  readonly manifest: Manifest;
  /** What the check of the audit log says. */
  readonly verdict: Verdict;
  /** The names of tables that do not belong to the hub. */
  readonly leftOut: readonly string[];
  /** The object stores in which the restored hub deletes nothing until it claims them. */
  readonly unclaimed: UnclaimedStores;
}

/** The dependencies of a restore. */
export interface RestoreParts<Verdict> {
  /** Of the backup; absolute. */
  readonly folder: string;
  readonly target: RestoreTarget;
  /** Checks the audit log of the restored database. */
  readonly checkAuditLog: (db: Database) => Promise<Verdict>;
  readonly progress: Progress;
}

/**
 * Restores a backup into an empty database and the data folder, after verifying every byte of it. The assets come first, then the database
 * in one transaction. The restored hub deletes nothing in the object stores of the backup, unless it replaces the hub that was backed up. Until the end a mark in the data folder keeps hubs from starting on it, so that an interrupted restore can be run
 * again. Rejects with an Error with one sentence for the operator.
 */
export async function restoreBackup<Verdict>(parts: RestoreParts<Verdict>): Promise<RestoredBackup<Verdict>> {
  const { folder, target, progress } = parts;
  const manifest = await mustHaveManifest(folder);
  await refuseUnknownSchema(manifest);
  const isSecondTry = await hasUnfinishedRestore(target.dataDir);
  if (!isSecondTry) await target.refuseDatabase();
  await target.mustHaveKey(manifest);
  await target.newStore?.check();
  await checkBackup(folder, progress);
  await makeDataFolder(target.dataDir);
  await mustHaveSpace(target.dataDir, await neededBytes(parts, manifest));
  const restoreId = await beginRestore(target.dataDir);
  const database = await target.openDatabase();
  let restored: Omit<RestoredBackup<Verdict>, 'manifest'>;
  try {
    restored = await restoreInto(database.address, { ...parts, manifest, restoreId });
  } finally {
    await database.close();
  }
  await target.placeKey(manifest);
  await endRestore(target.dataDir);
  progress.end();
  return { manifest, ...restored };
}

async function refuseUnknownSchema({ migrations, hubVersion }: Manifest): Promise<void> {
  const known = await knownMigrations();
  const unknown = foldNames(migrations, 'backup').filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `The backup was made by a newer hub (${hubVersion}), whose schema this one does not know (${unknown.at(-1)}): restore it with that version or a newer one.`,
    );
}

async function neededBytes<Verdict>(
  { folder, target }: RestoreParts<Verdict>,
  manifest: Manifest,
): Promise<number> {
  const assets = await missingAssetBytes({ folder, manifest, storageOf: onDisk(target) });
  return assets + (target.isEmbedded ? manifest.databaseBytes * 1.5 : 0);
}

const onDisk =
  ({ disk }: RestoreTarget) =>
  ({ storeId }: { readonly storeId: string | null }) =>
    storeId === null ? Promise.resolve(disk) : undefined;

/** A restore that has begun. */
interface BegunRestore<Verdict> extends RestoreParts<Verdict> {
  readonly manifest: Manifest;
  readonly restoreId: string;
}

async function restoreInto<Verdict>(
  address: DatabaseAddress,
  parts: BegunRestore<Verdict>,
): Promise<Omit<RestoredBackup<Verdict>, 'manifest'>> {
  const { folder, manifest, target, checkAuditLog, progress } = parts;
  const connection = await openSingleConnection(address);
  const { db } = connection;
  try {
    if (await isRestored(connection, parts)) {
      if (target.replacesOriginal) await claimStores(db);
      return { verdict: await checkAuditLog(db), leftOut: [], unclaimed: await findUnclaimedStores(db) };
    }
    progress.step('Assets', manifest.assets.copiedBytes);
    await restoreAssets({ folder, manifest, storageOf: onDisk(target) }, progress);
    const restored = await db.transaction().execute((tx) => restoreDatabase(tx, connection, parts));
    progress.step('Statistics', 0);
    await sql`analyze`.execute(db);
    return restored;
  } finally {
    await connection.close();
  }
}

/** Restores the database and the assets of its stores in a transaction. */
async function restoreDatabase<Verdict>(
  tx: Database,
  { client }: SingleConnection,
  parts: BegunRestore<Verdict>,
): Promise<Omit<RestoredBackup<Verdict>, 'manifest'>> {
  const { folder, manifest, target, checkAuditLog, progress } = parts;
  const leftOut = await loadDatabase({ tx, client, folder, manifest, progress });
  await forgetWaiting(tx);
  await noteRestore(tx, parts);
  await (target.replacesOriginal ? claimStores(tx) : leaveStoresUnclaimed(tx, new Date()));
  progress.step('Assets of stores', 0);
  const store = await target.newStore?.save(tx);
  if (store !== undefined) await moveRestoredAssets(tx, { folder, manifest }, store);
  const storages = target.storages(tx);
  const storageOf = ({ storeId }: ListedAsset) => (storeId === null ? undefined : storages.of(storeId));
  const moved = store === undefined ? undefined : (asset: ListedAsset) => inStore(store, asset);
  await restoreAssets({ folder, manifest, storageOf, moved }, progress);
  progress.step('Audit log', 0);
  return { leftOut, verdict: await checkAuditLog(tx), unclaimed: await findUnclaimedStores(tx) };
}

/** Whether this restore was interrupted after it had restored the database. Throws an Error with a sentence if there is another database, be it of the same Corral. */
async function isRestored<Verdict>({ db }: SingleConnection, begun: BegunRestore<Verdict>): Promise<boolean> {
  const table = await anyTable(db, begun.target.jobsSchema);
  if (table === undefined) return false;
  if (await isRestoredBy(db, begun)) return true;
  throw notEmpty(table);
}

/** The error for a database that has tables. */
export function notEmpty(table: string): Error {
  return new Error(
    `A backup is restored only into an empty database, and this one has tables (${table}): name another one, or another data folder.`,
  );
}
