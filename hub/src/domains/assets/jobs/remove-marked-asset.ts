import { ids } from '@corral/contract';
import type { Executor } from '../../../calls/executor.ts';
import { systemCaller, type Answer } from '../../../calls/handler.ts';
import { StorageError } from '../storage/asset-storage.ts';
import type { Storages } from '../storage/storages.ts';
import type { LeaseMarkedAsset } from '../internal/LeaseMarkedAsset.ts';
import { endLeaseAfter, keepLeased, type KeptLease } from './keep-leased.ts';
import { DeleteMarkedAsset } from '../internal/DeleteMarkedAsset.ts';

type Leased = NonNullable<Answer<typeof LeaseMarkedAsset>>;

/** The dependencies of the deletion of assets. */
export interface CollectorParts {
  readonly executor: Executor;
  readonly storages: Storages;
  /** Aborts with a StorageError when the hub stops. */
  readonly stopping?: AbortSignal;
}

/** Deletes the bytes of a marked asset, then its row, under a lease that was asked for at `askedAtMs`. Resolves with why they could not be deleted. */
export async function removeMarkedAsset(
  { executor, storages, stopping }: CollectorParts,
  asset: Leased,
  leaseId: string,
  askedAtMs: number,
): Promise<StorageError | undefined> {
  const lease = { assetId: asset.assetId, leaseId };
  const kept = keepLeased(executor, lease, askedAtMs, stopping);
  try {
    await deleteBytes(storages, asset, kept);
    await executor.run(systemCaller, DeleteMarkedAsset, lease);
    return undefined;
  } catch (error) {
    await endLeaseAfter(error, executor, lease);
    if (error instanceof StorageError) return error;
    throw error;
  } finally {
    kept.stop();
  }
}

async function deleteBytes(storages: Storages, asset: Leased, kept: KeptLease): Promise<void> {
  const { assetId, storeId, storageKey, multipartId } = asset;
  const storage = await storages.of(storeId ?? null);
  if (multipartId !== undefined) await storage.multipart?.abort(storageKey, multipartId, kept.signal);
  kept.mustHold();
  await storage.delete(storageKey, kept.signal);
  await storages.disk.partials.discard(ids.asset.raw(assetId));
}
