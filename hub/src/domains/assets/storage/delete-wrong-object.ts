import type { AssetStorage } from './asset-storage.ts';

/** Less than a lease lasts, so that the request to delete is not repeated once somebody else may write. */
const maxDeletionMs = 20_000;

interface WrongObject {
  readonly storageKey: string;
  /** In its wire format, as in the metadata of the object. */
  readonly assetId: string;
  /** Extends the lease of the asset; false if it has ended. */
  readonly extendLease: () => Promise<boolean>;
}

/**
 * Deletes an object with other bytes than its asset should have. One that the client of another asset has written stays, and so does what is there when the lease has ended: somebody else may
 * have uploaded the right bytes meanwhile.
 */
export async function deleteWrongObject(
  storage: AssetStorage,
  { storageKey, assetId, extendLease }: WrongObject,
): Promise<void> {
  if ((await storage.stat(storageKey))?.assetId !== assetId) return;
  if (await extendLease()) await storage.delete(storageKey, AbortSignal.timeout(maxDeletionMs));
}
