import type { Output } from '@corral/contract';
import { assetCopy } from './copy.ts';

/** An asset with its status and what its store said. */
export type Asset = Output<'repositories_GetAssetDetails'>;

type State = Pick<Asset, 'status' | 'storage'>;

/** Why an asset cannot be downloaded; undefined if it can. */
export function downloadProblem({ status, storage }: State): string | undefined {
  if (status === 'Dangling') return assetCopy.notUploaded;
  if (status === 'Deleting') return assetCopy.deleting;
  const stored = storage?.status;
  return stored === 'Missing' || stored === 'Mismatched' ? assetCopy.storageText[stored] : undefined;
}

/** Whether the upload of an asset ended without the right bytes: other ones arrived, or the hub could not verify them and gave up. */
export function isUploadFailed({ status, storage }: State): boolean {
  return status === 'Dangling' && (storage?.status === 'Mismatched' || storage?.status === 'Error');
}

/** Whether somebody should look at an asset: it is not complete, or its stored bytes are not what they should be. */
export function needsAttention({ status, storage }: State): boolean {
  const isDamaged = storage !== undefined && ['Missing', 'Mismatched', 'Error'].includes(storage.status);
  return status !== 'Available' || isDamaged;
}
