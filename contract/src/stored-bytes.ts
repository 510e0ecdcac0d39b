import type { z } from 'zod';
import type { assetStorageStatus, repositoryAssetStatus } from './enums.ts';

type StorageStatus = z.infer<typeof assetStorageStatus>;

/** The part of an asset, or of a file, that says whether its bytes are stored. */
interface StoredState {
  readonly status: z.infer<typeof repositoryAssetStatus>;
  readonly storage?: { readonly status: StorageStatus } | undefined;
}

/** Whether the stored bytes of an asset are known to be missing or other ones. Uploading the same bytes again repairs it. */
export function isDamaged(status: StorageStatus | undefined): boolean {
  return status === 'Missing' || status === 'Mismatched';
}

/** Whether the hub has the bytes of an asset or file, and knows of no damage. */
export function isStored({ status, storage }: StoredState): boolean {
  return status === 'Available' && !isDamaged(storage?.status);
}

/** The header of a refused download whose stored bytes are missing or damaged: a repetition cannot help. Its value is `damaged`. */
export const storedBytesHeader = 'corral-stored-bytes';
