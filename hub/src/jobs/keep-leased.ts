import type { Id } from '@corral/contract';
import type { Executor } from '../executor/executor.ts';

const caller = { actor: { actor: 'System', kind: 'System' }, origin: {} } as const;
const extendEveryMs = 10_000;

/** The right to write the bytes of an asset, and to delete what is left of them elsewhere. */
interface AssetLease {
  readonly assetId: Id<'asset'>;
  readonly leaseId: string;
}

/** Extends the lease of an asset until the returned function is called. */
export function keepLeased(executor: Executor, lease: AssetLease): () => void {
  const extend = () => executor.invoke(caller, 'repositories_ExtendAssetUpload', lease);
  const beat = setInterval(() => void extend().catch(() => undefined), extendEveryMs);
  return () => clearInterval(beat);
}

/** Ends the lease of an asset. Never rejects, so that it hides no failure of the work: a lease that nobody extends ends by itself within half a minute. */
export async function endLease(executor: Executor, lease: AssetLease): Promise<void> {
  await executor.invoke(caller, 'repositories_ReleaseAssetUpload', lease).catch(() => undefined);
}
