import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sizeInWords } from '@corral/contract';
import { createDiskStorage, type DiskStorage } from '../../domains/assets/storage/disk/disk-storage.ts';
import type { Storages } from '../../domains/assets/storage/storages.ts';
import type { DatabaseAddress } from '../../platform/db/connect.ts';
import { openSingleConnection } from '../../platform/db/single-connection.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { holdAssets } from '../../platform/db/backup-lock.ts';
import { assetBytes, dumpAssetNames, dumpTables, openSnapshot, type Snapshot } from './dump-database.ts';
import { writeStoredFile } from './hashed-file.ts';
import { readManifest, writeManifest, type Manifest, type StoredFile, type TableFile } from './manifest.ts';
import type { Progress } from './progress.ts';
import { removeUnlisted, saveAssets } from './save-assets.ts';
import { syncFolder } from './sync-folder.ts';

/** The dependencies of a backup. */
export interface BackupParts {
  readonly address: DatabaseAddress;
  readonly storages: Pick<Storages, 'of'>;
  /** Absolute. An earlier backup of the same Corral in it is replaced once this one is complete. */
  readonly folder: string;
  /** Whether assets in S3-compatible stores are copied. */
  readonly copiesStores: boolean;
  /** The key of the secrets for the backup, in base64, by its id; undefined if it was not asked for. */
  readonly secretKey: ((keyIds: readonly string[]) => Promise<string>) | undefined;
  readonly hubVersion: string;
  readonly now: () => Date;
  readonly progress: Progress;
}

/** A complete backup. */
export interface SavedBackup {
  readonly manifest: Manifest;
  /** Of the manifest, in hex. */
  readonly digest: string;
  readonly newAssetBytes: number;
  /** Sentences about assets that could not be read. */
  readonly problems: readonly string[];
}

const ownEntries = /^(?:manifest\.json.*|assets|dump-\d{17})$/;

/** The storage of the assets in a backup. */
export const backupAssets = (folder: string): DiskStorage =>
  createDiskStorage(join(folder, 'assets'), { reserveBytes: 0 });

/**
 * Backs up database and assets, also while hubs run. Assets that the snapshot of the database names are not deleted meanwhile. Rejects with an Error with one
 * sentence for the operator; an earlier backup in the folder then stays.
 */
export async function saveBackup(parts: BackupParts): Promise<SavedBackup> {
  const { folder } = parts;
  const earlier = await openFolder(folder);
  const createdAt = parts.now().toISOString();
  const dump = `dump-${createdAt.replaceAll(/\D/g, '')}`;
  const holder = await openSingleConnection(parts.address);
  try {
    await holdAssets(holder.db);
    const saved = await saveFiles(parts, { earlier, createdAt, dump }).catch(async (error: unknown) => {
      // Frees the space on a full disk. Assets stay: the next backup continues with them.
      await rm(join(folder, dump), { recursive: true, force: true });
      throw error;
    });
    const digest = await writeManifest(folder, saved.manifest);
    await removeEarlier(folder, dump, saved.manifest.assets.list.path);
    return { ...saved, digest };
  } finally {
    await holder.close();
  }
}

interface Naming {
  readonly earlier: Manifest | undefined;
  readonly createdAt: string;
  /** The folder with all but the assets. */
  readonly dump: string;
}

/** Writes all files but the manifest, which are durable when this resolves. */
async function saveFiles(
  parts: BackupParts,
  { earlier, createdAt, dump }: Naming,
): Promise<Omit<SavedBackup, 'digest'>> {
  const { folder, progress } = parts;
  const { tables, snapshot, named } = await dumpDatabase(parts, dump, earlier);
  progress.step('Assets', snapshot.assetBytes);
  const target = backupAssets(folder);
  const saved = await saveAssets({ ...parts, target, named, list: `${dump}/assets.tsv` });
  const keyFile = await saveKey(parts, snapshot.secretKeyIds, dump);
  progress.end();
  await syncFolder(join(folder, dump));
  const { instanceId, migrations, databaseBytes, postgresVersion, sequences } = snapshot;
  const manifest: Manifest = {
    format: 1,
    createdAt,
    hubVersion: parts.hubVersion,
    postgresVersion,
    instanceId,
    migrations,
    databaseBytes,
    tables,
    sequences,
    assets: saved.assets,
    secretKey: { ids: [...snapshot.secretKeyIds], ...(keyFile === undefined ? {} : { file: keyFile }) },
  };
  return { manifest, newAssetBytes: saved.newBytes, problems: saved.problems };
}

interface DumpedDatabase {
  readonly tables: TableFile[];
  readonly snapshot: Snapshot & { readonly assetBytes: number };
  /** The list of the assets. */
  readonly named: string;
}

async function dumpDatabase(
  { address, folder, copiesStores, progress }: BackupParts,
  dump: string,
  earlier: Manifest | undefined,
): Promise<DumpedDatabase> {
  const snapshot = await openSnapshot(address);
  try {
    refuseAnother(folder, earlier, snapshot.instanceId);
    const { onDisk, inStores } = await snapshot.read(({ db }) => assetBytes(db));
    const ofAssets = onDisk + (copiesStores ? inStores : 0);
    const ofTables = snapshot.tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    // Compressed rows take less than half of what they take in the database.
    await mustHaveSpace(folder, ofTables / 2 + Math.max(0, ofAssets - (earlier?.assets.copiedBytes ?? 0)));
    await mkdir(join(folder, dump), { mode: 0o700 });
    progress.step('Database', ofTables);
    const tables = await dumpTables(snapshot, folder, dump, progress);
    const named = `${dump}/assets.named.tsv`;
    await dumpAssetNames(snapshot, folder, named);
    return { tables, named, snapshot: { ...snapshot, assetBytes: ofAssets } };
  } finally {
    await snapshot.close();
  }
}

/** Makes the folder, and resolves with the manifest of the backup in it. */
async function openFolder(folder: string): Promise<Manifest | undefined> {
  const entries = await makeFolder(folder)
    .then(() => readdir(folder))
    .catch((error: NodeJS.ErrnoException) => {
      // By number: in a container the user may have no name.
      const owner = process.getuid?.();
      const remedy =
        error.code === 'EACCES' ? `: make it, as root, by install -d -o ${owner} -m 0700 ${folder}` : '';
      throw new Error(`The folder ${folder} cannot be used for a backup (${error.code})${remedy}.`, {
        cause: error,
      });
    });
  const foreign = entries.find((entry) => !ownEntries.test(entry) && entry !== 'lost+found');
  if (foreign !== undefined)
    throw new Error(
      `The folder ${folder} has something else than a backup in it (${foreign}): name an empty folder, one that does not exist, or an earlier backup.`,
    );
  return readManifest(folder);
}

function refuseAnother(folder: string, earlier: Manifest | undefined, instanceId: string): void {
  if (earlier !== undefined && earlier.instanceId !== instanceId)
    throw new Error(`The folder ${folder} has the backup of another Corral: name another folder.`);
}

/** Throws an Error with a sentence unless a file system has so many bytes left. */
export async function mustHaveSpace(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes < neededBytes)
    throw new Error(
      `The disk of ${folder} has ${sizeInWords(freeBytes)} left, and about ${sizeInWords(neededBytes)} are needed: free space there, or name another folder.`,
    );
}

async function saveKey(
  { folder, secretKey }: BackupParts,
  keyIds: readonly string[],
  dump: string,
): Promise<StoredFile | undefined> {
  if (secretKey === undefined) return undefined;
  const text = `${await secretKey(keyIds)}\n`;
  return writeStoredFile(folder, `${dump}/secret.key`, Readable.from([Buffer.from(text)]));
}

async function removeEarlier(folder: string, dump: string, list: string): Promise<void> {
  const target = backupAssets(folder);
  for (const entry of await readdir(folder))
    if (ownEntries.test(entry) && !['manifest.json', 'assets', dump].includes(entry))
      await rm(join(folder, entry), { recursive: true, force: true });
  await rm(join(folder, 'assets', 'partials'), { recursive: true, force: true });
  await removeUnlisted(target, folder, list);
}
