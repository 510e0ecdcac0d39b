import type { Id } from '@corral/contract';
import type { Executor } from '../../../calls/executor.ts';
import { systemCaller } from '../../../calls/handler.ts';
import { StorageError } from '../storage/asset-storage.ts';
import { ExtendAssetUpload } from '../internal/ExtendAssetUpload.ts';
import { ReleaseAssetUpload } from '../internal/ReleaseAssetUpload.ts';

const extendEveryMs = 5_000;
/** A lease lasts for 30 s; the rest is for a store that deletes. */
const surelyHeldMs = 20_000;

/** The right to write the bytes of an asset, and to delete what is left of them elsewhere. */
interface AssetLease {
  readonly assetId: Id<'asset'>;
  readonly leaseId: string;
}

/** The lease of an asset that is extended until it is stopped. */
export interface KeptLease {
  /** Aborts with a StorageError when the lease was lost or may end soon, so that no request to delete is repeated then, and when the hub stops. */
  readonly signal: AbortSignal;
  /**
   * To be called right before bytes are deleted. Throws a StorageError when the lease was lost or may end during that: this process stood still, or its database does not
   * answer. Somebody else may have uploaded the same bytes meanwhile.
   */
  mustHold(): void;
  stop(): void;
}

/** Extends a lease that was asked for at `askedAtMs` of the monotonic clock, until it is stopped. */
export function keepLeased(
  executor: Executor,
  lease: AssetLease,
  askedAtMs: number,
  stopping?: AbortSignal,
): KeptLease {
  const ended = new AbortController();
  let heldFromMs = askedAtMs;
  const endIfLate = (): void => {
    if (performance.now() - heldFromMs > surelyHeldMs) ended.abort(leaseHasEnded(lease));
  };
  const extend = async (): Promise<void> => {
    endIfLate();
    const atMs = performance.now();
    const { isHeld } = await executor.run(systemCaller, ExtendAssetUpload, lease);
    if (isHeld) heldFromMs = atMs;
    else ended.abort(leaseHasEnded(lease));
  };
  const beat = setInterval(() => void extend().catch(() => undefined), extendEveryMs);
  return {
    signal: AbortSignal.any([ended.signal, ...(stopping === undefined ? [] : [stopping])]),
    mustHold() {
      endIfLate();
      ended.signal.throwIfAborted();
    },
    stop: () => clearInterval(beat),
  };
}

function leaseHasEnded({ assetId }: AssetLease): StorageError {
  return new StorageError(
    'Unreachable',
    `The hub or its database was unresponsive, so the lease on ${assetId} was lost. If this happens often, reduce the load.`,
  );
}

/** Ends the lease of an asset. Never rejects, so that it hides no failure of the work: a lease that nobody extends ends by itself within half a minute. */
export async function endLease(executor: Executor, lease: AssetLease): Promise<void> {
  await executor.run(systemCaller, ReleaseAssetUpload, lease).catch(() => undefined);
}

/**
 * Ends the lease after a failed deletion, unless the store did not answer: it may delete later, and would then take what somebody has uploaded meanwhile. The lease runs out
 * instead, which gives the store up to half a minute. That makes the loss rare but cannot exclude it, since few stores take a condition for a deletion: the check of
 * stored bytes finds it within a day.
 */
export async function endLeaseAfter(failure: unknown, executor: Executor, lease: AssetLease): Promise<void> {
  const mayComeLate = failure instanceof StorageError && failure.fault === 'Unreachable';
  if (!mayComeLate) await endLease(executor, lease);
}
