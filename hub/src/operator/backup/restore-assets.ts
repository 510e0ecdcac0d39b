import type { AssetStorage } from '../../domains/assets/storage/asset-storage.ts';
import { hashContent } from '../../domains/assets/storage/content-hash.ts';
import { expectedOf, inOrder, keyInBackup, readAssetList, type ListedAsset } from './asset-list.ts';
import type { Manifest } from './manifest.ts';
import type { Progress } from './progress.ts';
import { counted } from './save-assets.ts';
import { backupAssets } from './save-backup.ts';

const atOnce = 8;

/** The assets of a backup that go to some stores. */
export interface AssetRestoring {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Undefined for assets that are not to be restored now. */
  readonly storageOf: (asset: ListedAsset) => Promise<AssetStorage> | undefined;
  /** Where an asset goes instead of where it was. */
  readonly moved?: ((asset: ListedAsset) => ListedAsset) | undefined;
}

/** The number of bytes to restore that the stores do not have yet. */
export async function missingAssetBytes(restoring: AssetRestoring): Promise<number> {
  let bytes = 0;
  for await (const missing of overAssets(restoring, async (asset, storage) => {
    const present = await storage.stat(asset.storageKey);
    return present?.sizeBytes === asset.sizeBytes ? 0 : asset.sizeBytes;
  }))
    bytes += missing;
  return bytes;
}

/** Copies the assets, checks each against its digest, and makes it durable. Assets that a store already has are not copied. */
export async function restoreAssets(restoring: AssetRestoring, progress: Progress): Promise<void> {
  const source = backupAssets(restoring.folder);
  const { signal } = new AbortController();
  for await (const size of overAssets(restoring, async (asset, storage) => {
    if (await isPresent(storage, asset)) return asset.sizeBytes;
    const bytes = await source.read(keyInBackup(asset));
    const options = { signal, assetId: asset.assetId, replaces: true };
    await storage.write(asset.storageKey, counted(bytes, progress), expectedOf(asset), options);
    return 0;
  }))
    progress.add(size);
}

function overAssets<Result>(
  { folder, manifest, storageOf, moved = (asset) => asset }: AssetRestoring,
  work: (asset: ListedAsset, storage: AssetStorage) => Promise<Result>,
): AsyncGenerator<Result> {
  async function* restored(): AsyncGenerator<{ asset: ListedAsset; storage: AssetStorage }> {
    for await (const listed of readAssetList(folder, manifest.assets.list.path)) {
      const asset = moved(listed);
      const storage = asset.place === 'copied' ? await storageOf(asset) : undefined;
      if (storage !== undefined) yield { asset, storage };
    }
  }
  return inOrder(restored(), atOnce, ({ asset, storage }) => work(asset, storage));
}

async function isPresent(storage: AssetStorage, asset: ListedAsset): Promise<boolean> {
  const present = await storage.stat(asset.storageKey);
  if (present?.sizeBytes !== asset.sizeBytes) return false;
  const { digest } = await hashContent(await storage.read(asset.storageKey));
  return digest.toString('hex') === asset.digest;
}
