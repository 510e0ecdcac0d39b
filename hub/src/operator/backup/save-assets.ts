import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { damageFaults, StorageError } from '../../domains/assets/storage/asset-storage.ts';
import type { DiskStorage } from '../../domains/assets/storage/disk/disk-storage.ts';
import type { Storages } from '../../domains/assets/storage/storages.ts';
import {
  assetLine,
  expectedOf,
  inOrder,
  keyInBackup,
  readAssetList,
  type AssetPlace,
  type ListedAsset,
  type NamedAsset,
} from './asset-list.ts';
import { writeStoredFile } from './hashed-file.ts';
import type { Manifest } from './manifest.ts';
import type { Progress } from './progress.ts';

const atOnce = 8;
const maxNamed = 20;

/** The dependencies of saving assets. */
export interface AssetSaving {
  readonly storages: Pick<Storages, 'of'>;
  /** Where the backup keeps assets. */
  readonly target: DiskStorage;
  readonly folder: string;
  /** The list of the assets of the database. */
  readonly named: string;
  /** Where the list of the backup is written to. */
  readonly list: string;
  /** Whether those in S3-compatible stores are copied as well. */
  readonly copiesStores: boolean;
  readonly progress: Progress;
}

/** The assets of a backup, and sentences about the first of those that could not be read. */
export interface SavedAssets {
  readonly assets: Manifest['assets'];
  /** How many bytes the backup did not have before. */
  readonly newBytes: number;
  readonly problems: readonly string[];
}

/** Copies the assets that the backup does not have yet, checks each against its digest, makes it durable, and writes their list. */
export async function saveAssets(saving: AssetSaving): Promise<SavedAssets> {
  const counts = { copied: 0, copiedBytes: 0, inStores: 0, inStoresBytes: 0, unreadable: 0 };
  const problems: string[] = [];
  let newBytes = 0;
  async function* lines(): AsyncGenerator<string> {
    const assets = readAssetList(saving.folder, saving.named);
    for await (const { asset, place, problem, wasCopied } of inOrder(assets, atOnce, (asset) =>
      save(saving, asset),
    )) {
      if (place === 'copied') counts.copiedBytes += asset.sizeBytes;
      if (place === 'store') counts.inStoresBytes += asset.sizeBytes;
      counts[place === 'store' ? 'inStores' : place] += 1;
      if (wasCopied) newBytes += asset.sizeBytes;
      if (problem !== undefined && problems.length < maxNamed) problems.push(problem);
      yield assetLine({ ...asset, place });
    }
  }
  const list = await writeStoredFile(saving.folder, saving.list, Readable.from(lines()));
  await rm(join(saving.folder, saving.named));
  return { assets: { list, ...counts }, newBytes, problems };
}

interface Saved {
  readonly asset: NamedAsset;
  readonly place: AssetPlace;
  readonly wasCopied: boolean;
  readonly problem?: string;
}

async function save(saving: AssetSaving, asset: ListedAsset): Promise<Saved> {
  if (asset.storeId !== null && !saving.copiesStores) return { asset, place: 'store', wasCopied: false };
  const key = keyInBackup(asset);
  const present = await saving.target.stat(key);
  if (present?.sizeBytes === asset.sizeBytes) {
    saving.progress.add(asset.sizeBytes);
    return { asset, place: 'copied', wasCopied: false };
  }
  try {
    await copy(saving, asset, key);
    return { asset, place: 'copied', wasCopied: true };
  } catch (error) {
    if (!isAboutTheAsset(error)) throw error;
    return {
      asset,
      place: 'unreadable',
      wasCopied: false,
      problem: `The bytes of the asset ${asset.digest} of the repository ${asset.repositoryId} are not in the backup: ${error.message}`,
    };
  }
}

async function copy(
  { storages, target, progress }: AssetSaving,
  asset: NamedAsset,
  key: string,
): Promise<void> {
  const source = await storages.of(asset.storeId);
  const bytes = counted(await source.read(asset.storageKey), progress);
  const { signal } = new AbortController();
  await target.write(key, bytes, expectedOf(asset), { signal, assetId: asset.assetId });
}

/** Yields the same bytes and reports how many. */
export async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    progress.add(piece.length);
    yield piece;
  }
}

/** Whether only this asset is affected: its bytes were lost or changed before the backup, which goes on without them. Writing the backup fails in other ways. */
function isAboutTheAsset(error: unknown): error is StorageError {
  return error instanceof StorageError && damageFaults.has(error.fault);
}

/** Removes the assets that the list of the backup does not name. Both are in the order of the keys. */
export async function removeUnlisted(target: DiskStorage, folder: string, list: string): Promise<void> {
  const listed = readAssetList(folder, list)[Symbol.asyncIterator]();
  let next: string | undefined = await nextKey(listed);
  for (let after: string | undefined; ;) {
    const page = await target.list(after);
    for (const { key } of page) {
      while (next !== undefined && next < key) next = await nextKey(listed);
      if (next !== key) await target.delete(key);
    }
    after = page.at(-1)?.key;
    if (after === undefined) break;
  }
  await listed.return?.(undefined);
}

async function nextKey(listed: AsyncIterator<ListedAsset>): Promise<string | undefined> {
  const { value, done } = await listed.next();
  return done === true ? undefined : keyInBackup(value as ListedAsset);
}
