import { randomUUID } from 'node:crypto';
import { systemCaller } from '../../../calls/handler.ts';
import { endLease, endLeaseAfter, keepLeased } from './keep-leased.ts';
import type { Leftover, LeftoverParts } from './leftovers.ts';
import { MarkStrayObject } from '../internal/MarkStrayObject.ts';

/**
 * Marks an object of no asset for deletion. One whose asset is kept elsewhere is deleted at once, under a lease of the asset: nobody writes there meanwhile, and no row
 * is locked while the store answers.
 */
export async function removeStrayObject(
  { executor, storages, stopping }: LeftoverParts,
  { storeId, storageKey, sizeBytes: size }: Extract<Leftover, { kind: 'StrayObject' }>,
): Promise<void> {
  const [leaseId, askedAtMs] = [randomUUID(), performance.now()];
  const stray = { storeId, storageKey, size, leaseId };
  const { leasedAssetId: assetId } = await executor.run(systemCaller, MarkStrayObject, stray);
  if (assetId === undefined) return;
  const lease = { assetId, leaseId };
  const kept = keepLeased(executor, lease, askedAtMs, stopping);
  try {
    const storage = await storages.of(storeId ?? null);
    kept.mustHold();
    await storage.delete(storageKey, kept.signal);
    await endLease(executor, lease);
  } catch (error) {
    await endLeaseAfter(error, executor, lease);
    throw error;
  } finally {
    kept.stop();
  }
}
