import type { Actor, Id } from '@corral/contract';
import type { Executor } from '../executor/executor.ts';

const system: Actor = { actor: 'System', kind: 'System' };
const caller = { actor: system, origin: {} };
const maxFailures = 100;

/** Marks all assets that nothing refers to and deletes what is marked. Rejects with what could not be deleted; the next run tries that again. */
export async function collectAssets(executor: Executor): Promise<void> {
  for (let marked = 1; marked > 0;)
    ({ marked } = await executor.invoke(caller, 'repositories_MarkCollectableAssets', {}));
  await deleteMarkedAssets(executor);
}

/** Deletes the bytes and rows of all marked assets, one after the other. */
export async function deleteMarkedAssets(executor: Executor, isStopped = () => false): Promise<void> {
  const failed: { readonly assetId: Id<'asset'>; readonly why: string }[] = [];
  while (failed.length < maxFailures && !isStopped()) {
    const except = failed.map(({ assetId }) => assetId);
    const done = await executor.invoke(caller, 'repositories_DeleteMarkedAsset', { except });
    if (done.result === 'None') break;
    if (done.result === 'Failed') failed.push(done);
  }
  const [first] = failed;
  if (first === undefined) return;
  throw new Error(
    `The bytes of ${failed.length} assets could not be deleted, first those of ${first.assetId}: ${first.why} They are tried again in ten minutes.`,
  );
}
