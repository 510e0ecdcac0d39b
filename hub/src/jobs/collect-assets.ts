import { randomUUID } from 'node:crypto';
import type { Actor, Id } from '@corral/contract';
import { removeMarkedAsset, type CollectorNeeds } from './remove-marked-asset.ts';

const system: Actor = { actor: 'System', kind: 'System' };
const caller = { actor: system, origin: {} };
const maxFailures = 100;

/** Marks all assets that nothing refers to and deletes what is marked. Rejects with what could not be deleted; the next run tries that again. */
export async function collectAssets(needs: CollectorNeeds): Promise<void> {
  for (let marked = 1; marked > 0;)
    ({ marked } = await needs.executor.invoke(caller, 'repositories_MarkCollectableAssets', {}));
  await deleteMarkedAssets(needs);
}

/** Deletes the bytes and rows of all marked assets, one after the other. */
export async function deleteMarkedAssets(needs: CollectorNeeds, isStopped = () => false): Promise<void> {
  const failed: { readonly assetId: Id<'asset'>; readonly why: string }[] = [];
  while (failed.length < maxFailures && !isStopped()) {
    const except = failed.map(({ assetId }) => assetId);
    const leaseId = randomUUID();
    const asset = await needs.executor.invoke(caller, 'repositories_LeaseMarkedAsset', { leaseId, except });
    if (asset.result === 'None') break;
    const why = await removeMarkedAsset(needs, asset, leaseId);
    if (why !== undefined) failed.push({ assetId: asset.assetId, why });
  }
  const [first] = failed;
  if (first === undefined) return;
  throw new Error(
    `The bytes of ${failed.length} assets could not be deleted, first those of ${first.assetId}: ${first.why} They are tried again in ten minutes.`,
  );
}
