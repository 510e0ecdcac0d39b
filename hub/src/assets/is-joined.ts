import type { AssetStorage } from './asset-storage.ts';

/** The object that an upload in parts becomes. */
interface ExpectedObject {
  readonly key: string;
  /** As it travels. */
  readonly assetId: string;
  readonly sizeBytes: number;
}

/**
 * Whether an upload in parts that its store does not know any more has become the object of its asset: a hub may die between joining the parts and recording that. The
 * bytes are still to be verified.
 */
export async function isJoined(
  storage: AssetStorage,
  { key, assetId, sizeBytes }: ExpectedObject,
): Promise<boolean> {
  const info = await storage.stat(key);
  return info?.sizeBytes === sizeBytes && info.assetId === assetId;
}
