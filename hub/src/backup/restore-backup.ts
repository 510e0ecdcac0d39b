import { sql } from 'kysely';
import type { DiskStorage } from '../assets/disk/disk-storage.ts';
import type { Storages } from '../assets/storages.ts';
import type { Database, DatabaseAddress } from '../db/connect.ts';
import { knownMigrations } from '../db/migrate.ts';
import { openSingleConnection, type SingleConnection } from '../db/single-connection.ts';
import { makeDataFolder } from '../files/data-folder.ts';
import { beginRestore, endRestore, hasUnfinishedRestore } from '../files/unfinished-restore.ts';
import { instanceIdOf } from '../store/instance-id.ts';
import { checkBackup } from './check-backup.ts';
import { anyTable } from './database-objects.ts';
import { loadDatabase } from './load-database.ts';
import { requireManifest, type Manifest } from './manifest.ts';
import type { Progress } from './progress.ts';
import { missingAssetBytes, restoreAssets } from './restore-assets.ts';
import { requireSpace } from './save-backup.ts';

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
  requireKey(manifest: Manifest): Promise<void>;
  /** Stores the key of the backup, if the backup has one and the hub has none. */
  placeKey(manifest: Manifest): Promise<void>;
  /** The storages that the restored database knows. */
  storages(db: Database): Pick<Storages, 'of'>;
}

/** A restored backup. */
export interface RestoredBackup<Verdict> {
  readonly manifest: Manifest;
  /** What the check of the audit log says. */
  readonly verdict: Verdict;
  /** The names of tables that do not belong to the hub. */
  readonly leftOut: readonly string[];
}

/** What restoring needs. */
export interface RestoreNeeds<Verdict> {
  /** Of the backup; absolute. */
  readonly folder: string;
  readonly target: RestoreTarget;
  /** Checks the audit log of the restored database. */
  readonly checkRecord: (db: Database) => Promise<Verdict>;
  readonly progress: Progress;
}

/**
 * Restores a backup into an empty database and the data folder, after verifying every byte of it. The assets come first, then the database
 * in one transaction. Until the end a mark in the data folder keeps hubs from starting on it, so that an interrupted restore can be run
 * again. Rejects with an Error with one sentence for the operator.
 */
export async function restoreBackup<Verdict>(needs: RestoreNeeds<Verdict>): Promise<RestoredBackup<Verdict>> {
  const { folder, target, progress } = needs;
  const manifest = await requireManifest(folder);
  await refuseNewerSchema(manifest);
  const isSecondTry = await hasUnfinishedRestore(target.dataDir);
  if (!isSecondTry) await target.refuseDatabase();
  await target.requireKey(manifest);
  await checkBackup(folder, progress);
  await makeDataFolder(target.dataDir);
  await requireSpace(target.dataDir, await neededBytes(needs, manifest));
  await beginRestore(target.dataDir);
  const database = await target.openDatabase();
  let restored: Pick<RestoredBackup<Verdict>, 'verdict' | 'leftOut'>;
  try {
    restored = await restoreInto(database.address, needs, manifest);
  } finally {
    await database.close();
  }
  await target.placeKey(manifest);
  await endRestore(target.dataDir);
  progress.end();
  return { manifest, ...restored };
}

async function refuseNewerSchema({ migrations, hubVersion }: Manifest): Promise<void> {
  const known = await knownMigrations();
  const unknown = migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `The backup was made by a newer hub (${hubVersion}), whose schema this one does not know (${unknown.at(-1)}): restore it with that version or a newer one.`,
    );
}

async function neededBytes<Verdict>(
  { folder, target }: RestoreNeeds<Verdict>,
  manifest: Manifest,
): Promise<number> {
  const assets = await missingAssetBytes({ folder, manifest, storageOf: onDisk(target) });
  return assets + (target.isEmbedded ? manifest.databaseBytes * 1.5 : 0);
}

const onDisk =
  ({ disk }: RestoreTarget) =>
  ({ storeId }: { readonly storeId: string | null }) =>
    storeId === null ? Promise.resolve(disk) : undefined;

async function restoreInto<Verdict>(
  address: DatabaseAddress,
  { folder, target, checkRecord, progress }: RestoreNeeds<Verdict>,
  manifest: Manifest,
): Promise<Pick<RestoredBackup<Verdict>, 'verdict' | 'leftOut'>> {
  const connection = await openSingleConnection(address);
  const { db, client } = connection;
  try {
    if (await isRestored(connection, target, manifest))
      return { verdict: await checkRecord(db), leftOut: [] };
    progress.step('Assets', manifest.assets.copiedBytes);
    await restoreAssets({ folder, manifest, storageOf: onDisk(target) }, progress);
    const restored = await db.transaction().execute(async (tx) => {
      const leftOut = await loadDatabase({ tx, client, folder, manifest, progress });
      const storages = target.storages(tx);
      progress.step('Assets of stores', 0);
      await restoreAssets(
        {
          folder,
          manifest,
          storageOf: ({ storeId }) => (storeId === null ? undefined : storages.of(storeId)),
        },
        progress,
      );
      progress.step('Audit log', 0);
      return { leftOut, verdict: await checkRecord(tx) };
    });
    progress.step('Statistics', 0);
    await sql`analyze`.execute(db);
    return restored;
  } finally {
    await connection.close();
  }
}

/** Whether an earlier restore was interrupted after it had restored the database. Throws an Error with a sentence if there is another database. */
async function isRestored(
  { db }: SingleConnection,
  target: RestoreTarget,
  manifest: Manifest,
): Promise<boolean> {
  const table = await anyTable(db, target.jobsSchema);
  if (table === undefined) return false;
  const instanceId = await instanceIdOf(db).catch(() => undefined);
  if (instanceId === manifest.instanceId) return true;
  throw notEmpty(table);
}

/** The error for a database that has tables. */
export function notEmpty(table: string): Error {
  return new Error(
    `A backup is restored only into an empty database, and this one has tables (${table}): name another one, or another data folder.`,
  );
}
