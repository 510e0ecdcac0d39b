import type { AssetStorage, StoredContent } from '../../domains/assets/storage/asset-storage.ts';
import type { UploadPart } from '../../domains/assets/storage/disk/partials.ts';
import { ids } from '@corral/contract';
import { openStorePartial } from './store-partial.ts';
import type { TransfersContext } from './transfers-context.ts';
import { expectedOf } from './upload.ts';
import type { TakenUpload } from './upload-lease.ts';

/** A resumable upload, as far as it has come. Whoever uses it holds the lease of the asset. */
export interface PartialUpload {
  /** How many bytes are kept. */
  readonly sizeBytes: number;
  /** Adds a part and resolves with the new size. What came before a failure of the source or an abort is kept. */
  append(part: UploadPart): Promise<number>;
  /** Stores a complete upload under its key. An upload with a wrong digest is discarded, as long as the lease can be extended. */
  commit(signal: AbortSignal, extendLease: () => Promise<boolean>): Promise<StoredContent>;
  /** Forgets what is kept. */
  discard(): Promise<void>;
}

/** Opens the resumable upload of an asset: in its object store, which all nodes reach, or else in the data folder. */
export async function openPartial(context: TransfersContext, asset: TakenUpload): Promise<PartialUpload> {
  const storage = await context.parts.storages.of(asset.storeId ?? null);
  const { multipart } = storage;
  return multipart === undefined || asset.size === 0
    ? openDiskPartial(context, asset, storage)
    : openStorePartial(context, asset, { storage, multipart });
}

async function openDiskPartial(
  { parts }: TransfersContext,
  asset: TakenUpload,
  storage: AssetStorage,
): Promise<PartialUpload> {
  const { partials } = parts.storages.disk;
  const uploadId = ids.asset.raw(asset.assetId);
  return {
    sizeBytes: await partials.sizeOf(uploadId),
    append: (part) => partials.append(uploadId, part),
    commit: (signal) =>
      partials.commit(uploadId, expectedOf(asset), {
        storage,
        key: asset.storageKey,
        signal,
        assetId: asset.assetId,
        replaces: asset.replaces,
      }),
    discard: () => partials.discard(uploadId),
  };
}
