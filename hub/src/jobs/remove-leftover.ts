import { ActionError, type Id } from '@corral/contract';
import type { Executor } from '../executor/executor.ts';
import { systemCaller } from '../executor/system-caller.ts';
import type { Leftover, LeftoverParts } from './leftovers.ts';
import { removeStrayObject } from './remove-stray-object.ts';
import { reportVerdict, type StoredVerdict } from './scrub-assets.ts';

/** Removes what a crash left behind, or finishes the upload; objects of no asset are only marked. Resolves with whether it is done. */
export async function removeLeftover(parts: LeftoverParts, leftover: Leftover): Promise<boolean> {
  const { executor, storages, before, stopping } = parts;
  switch (leftover.kind) {
    case 'UnfinishedWrites':
      await storages.disk.sweep(before);
      return true;
    case 'UnfinishedUpload':
      await storages.disk.partials.discard(leftover.uploadId);
      return true;
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

/**
 * Finishes an upload if its bytes verify. Otherwise it stays as it is, until it is uploaded again or collected. The tries are counted at the asset; after the last one its status says so, and
 * its bytes are not read again.
 */
async function adopt(executor: Executor, assetId: Id<'asset'>): Promise<boolean> {
  const { mayTry, isLast } = await executor.invoke(systemCaller, 'repositories_BeginAssetAdoption', {
    assetId,
  });
  if (!mayTry) return false;
  try {
    await executor.invoke(systemCaller, 'repositories_FinalizeAssetUpload', { assetId });
    return true;
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    if (isLast) await reportVerdict(executor, { assetId }, gaveUp(error));
    return false;
  }
}

/** The verdict after the last try: the bytes are wrong if the store answered, else it is an error. */
function gaveUp({ kind, message }: ActionError): StoredVerdict {
  const detail = `The hub tried to finish this upload several times and gave up. ${message}`;
  return { status: kind === 'Invalid' ? 'Mismatched' : 'Error', detail };
}
