import { ActionError, type Id } from '@corral/contract';
import type { Executor } from '../executor/executor.ts';
import type { Leftover, LeftoverNeeds } from './leftovers.ts';

const caller = { actor: { actor: 'System', kind: 'System' }, origin: {} } as const;

/** Removes what a crash left behind, or finishes the upload; objects of no asset are only marked. Resolves with whether it is done. */
export async function removeLeftover(needs: LeftoverNeeds, leftover: Leftover): Promise<boolean> {
  const { executor, storages, before } = needs;
  switch (leftover.kind) {
    case 'UnfinishedWrites':
      await storages.disk.sweep(before);
      return true;
    case 'UnfinishedUpload':
      await storages.disk.partials.discard(leftover.uploadId);
      return true;
    case 'UnknownParts':
      await (
        await storages.of(leftover.storeId ?? null)
      ).multipart?.abort(leftover.storageKey, leftover.uploadId);
      return true;
    case 'HelperObject':
      await (await storages.of(leftover.storeId ?? null)).delete(leftover.storageKey);
      return true;
    case 'StrayObject': {
      const { storeId, storageKey, sizeBytes: size } = leftover;
      await executor.invoke(caller, 'repositories_MarkStrayObject', { storeId, storageKey, size });
      return true;
    }
    case 'UnfinishedAsset':
      return adopt(executor, leftover.assetId);
    case 'SilentStore':
      return false;
  }
}

/** What does not verify stays as it is, until it is uploaded again or collected. */
async function adopt(executor: Executor, assetId: Id<'asset'>): Promise<boolean> {
  try {
    await executor.invoke(caller, 'repositories_FinalizeAssetUpload', { assetId });
    return true;
  } catch (error) {
    if (error instanceof ActionError) return false;
    throw error;
  }
}
