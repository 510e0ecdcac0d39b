import { randomUUID } from 'node:crypto';
import { ActionError, type Id, ids } from '@corral/contract';
import type { Executor } from '../../../calls/executor.ts';
import { systemCaller } from '../../../calls/handler.ts';
import type { Leftover, LeftoverParts } from './leftovers.ts';
import { removeStrayObject } from './remove-stray-object.ts';
import { BeginAssetUpload } from '../internal/BeginAssetUpload.ts';
import { ReleaseAssetUpload } from '../internal/ReleaseAssetUpload.ts';

/** Removes what a crash left behind, or finishes the upload; objects of no asset are only marked. Resolves with whether it is done. */
export async function removeLeftover(parts: LeftoverParts, leftover: Leftover): Promise<boolean> {
  const { executor, storages, stopping } = parts;
  switch (leftover.kind) {
    case 'UnfinishedUpload':
      return discardUpload(parts, leftover.uploadId);
    case 'OrphanedParts':
      await (
        await storages.of(leftover.storeId ?? null)
      ).multipart?.abort(leftover.storageKey, leftover.uploadId, stopping);
      return true;
    case 'TemporaryObject':
      await (await storages.of(leftover.storeId ?? null)).delete(leftover.storageKey, stopping);
      return true;
    case 'StrayObject':
      await removeStrayObject(parts, leftover);
      return true;
    case 'UnfinishedAsset':
      return adopt(executor, leftover.assetId);
  }
}

/** Discards an upload in the data folder under the lease of its asset, so that no client goes on with it meanwhile. False if one does. */
async function discardUpload(
  { executor, storages: { disk }, before }: LeftoverParts,
  uploadId: string,
): Promise<boolean> {
  const assetId = ids.asset.of(uploadId);
  if (!ids.asset.schema.safeParse(assetId).success) {
    await disk.partials.discard(uploadId, before);
    return true;
  }
  const lease = { assetId, leaseId: randomUUID() };
  const begun = await executor.run(systemCaller, BeginAssetUpload, lease).catch((error: unknown) => {
    // Where assets need an object store, nobody writes into a data folder.
    if (error instanceof ActionError && error.kind === 'Invalid') return undefined;
    throw error;
  });
  if (begun?.result === 'Busy') return false;
  try {
    await disk.partials.discard(uploadId, before);
    return true;
  } finally {
    if (begun?.result === 'Taken') await executor.run(systemCaller, ReleaseAssetUpload, lease);
  }
}

/** Finishes an upload if its bytes verify. Otherwise it stays as it is, until it is uploaded again or collected. */
async function adopt(executor: Executor, assetId: Id<'asset'>): Promise<boolean> {
  try {
    await executor.invoke(systemCaller, 'repositories_FinalizeAssetUpload', { assetId });
    return true;
  } catch (error) {
    if (error instanceof ActionError) return false;
    throw error;
  }
}
