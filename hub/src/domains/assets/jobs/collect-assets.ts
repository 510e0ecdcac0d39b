import { randomUUID } from 'node:crypto';
import type { Id } from '@corral/contract';
import { systemCaller } from '../../../calls/handler.ts';
import type { StorageError } from '../storage/asset-storage.ts';
import { unclaimedMessages } from '../storage/unclaimed-messages.ts';
import { type CollectorParts, removeMarkedAsset } from './remove-marked-asset.ts';
import { MarkCollectableAssets } from '../internal/MarkCollectableAssets.ts';
import { LeaseMarkedAsset } from '../internal/LeaseMarkedAsset.ts';
import { FindAssetStores } from '../internal/FindAssetStores.ts';

/** The most that one question for the next asset can leave out. */
const maxFailures = 1000;
/** After so many failures a store is asked no more in this run, so that one which refuses every deletion does not hold up the others. Single objects may be under a lock. */
const maxFailuresOfStore = 100;
/** The same for failures without an answer, each of which may take half a minute. */
const maxUnansweredByStore = 3;
/** Each waits for the store and for two commits, which others can share. */
const deletionsAtOnce = 4;

/**
 * Marks all assets that nothing refers to and deletes what is marked. Rejects with what could not be deleted, also because a restored copy has not claimed its
 * stores; the next run tries that again.
 */
export async function collectAssets(parts: CollectorParts, ending?: AbortSignal): Promise<void> {
  for (let marked = 1; marked > 0 && ending?.aborted !== true;)
    ({ marked } = await parts.executor.run(systemCaller, MarkCollectableAssets));
  await deleteMarkedAssets(parts, ending);
  const { unclaimed } = await parts.executor.run(systemCaller, FindAssetStores);
  const why = unclaimed.markedAssets === 0 ? undefined : unclaimedMessages(unclaimed);
  if (why !== undefined) throw new Error(`${bytesOf(unclaimed.markedAssets)} are not deleted. ${why}`);
}

/** Why the bytes of assets could not be deleted, and the raw ids of their stores; an empty one is the data folder. */
type FailedDeletions = Map<Id<'asset'>, { readonly error: StorageError; readonly storeId: string }>;

/** Deletes the bytes and rows of all marked assets, some at a time, until the hub stops or the run is to end. */
export async function deleteMarkedAssets(parts: CollectorParts, ending?: AbortSignal): Promise<void> {
  const failed: FailedDeletions = new Map();
  const isEnding = (): boolean => parts.stopping?.aborted === true || ending?.aborted === true;
  const worker = async (): Promise<void> => {
    while (failed.size < maxFailures && !isEnding()) {
      const isDone = await deleteNext(parts, failed);
      if (isDone) return;
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: deletionsAtOnce }, worker));
  for (const result of workers) if (result.status === 'rejected') throw result.reason;
  const [first] = failed;
  if (first === undefined) return;
  const [assetId, { error }] = first;
  const others = failingStores(failed).length === 0 ? '' : ' Others in the same store were not tried.';
  throw new Error(
    `${bytesOf(failed.size)} could not be deleted, first those of ${assetId}: ${error.message}${others} The hub tries again in ten minutes.`,
  );
}

/** Deletes one marked asset, and resolves with whether there was none. Adds it to `failed` if that failed. */
async function deleteNext(parts: CollectorParts, failed: FailedDeletions): Promise<boolean> {
  const [leaseId, askedAtMs] = [randomUUID(), performance.now()];
  const input = { leaseId, except: [...failed.keys()], exceptStores: failingStores(failed) };
  const asset = await parts.executor.run(systemCaller, LeaseMarkedAsset, input);
  if (asset === undefined) return true;
  const error = await removeMarkedAsset(parts, asset, leaseId, askedAtMs);
  if (error !== undefined) failed.set(asset.assetId, { error, storeId: asset.storeId ?? '' });
  return false;
}

const bytesOf = (count: number): string => `The bytes of ${count === 1 ? 'one asset' : `${count} assets`}`;

/** The stores that are asked no more in this run. */
function failingStores(failed: FailedDeletions): string[] {
  const failures = Map.groupBy(failed.values(), ({ storeId }) => storeId);
  return [...failures].flatMap(([storeId, ofStore]) => {
    const unanswered = ofStore.filter(({ error }) => error.fault === 'Unreachable').length;
    const isFailing = ofStore.length >= maxFailuresOfStore || unanswered >= maxUnansweredByStore;
    return isFailing ? [storeId] : [];
  });
}
