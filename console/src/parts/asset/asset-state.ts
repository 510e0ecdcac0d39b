import type { Output } from '@corral/contract';
import { assetCopy } from './copy.ts';

/** An asset with its status and what its store said. */
export type Asset = Output<'repositories_GetAssetDetails'>;

type State = Pick<Asset, 'status' | 'storage'>;

/** Why an asset cannot be downloaded; undefined if it can. */
export function downloadProblem({ status, storage }: State): string | undefined {
  if (status === 'Dangling') return assetCopy.notUploaded;
  if (status === 'Deleting') return assetCopy.deleting;
  return storage?.status === 'Missing' ? assetCopy.storageText.Missing : undefined;
}

/** Whether somebody should look at an asset: it is not complete, or its stored bytes are not what they should be. */
export function needsAttention({ status, storage }: State): boolean {
  const isDamaged = storage !== undefined && ['Missing', 'Mismatched', 'Error'].includes(storage.status);
  return status !== 'Available' || isDamaged;
}
