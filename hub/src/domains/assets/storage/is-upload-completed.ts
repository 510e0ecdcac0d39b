import type { AssetStorage } from './asset-storage.ts';

/** The object that a completed upload in parts becomes. */
interface ExpectedObject {
  readonly key: string;
  /** The public id. */
  readonly assetId: string;
  readonly sizeBytes: number;
}

/**
 * Whether an upload in parts that its store does not know any more was completed, and so became the object of its asset: a hub may die between completing an upload and
 * recording that. The bytes are still to be verified.
 */
export async function isUploadCompleted(
  storage: AssetStorage,
  { key, assetId, sizeBytes }: ExpectedObject,
): Promise<boolean> {
  const info = await storage.stat(key);
  return info?.sizeBytes === sizeBytes && info.assetId === assetId;
}
