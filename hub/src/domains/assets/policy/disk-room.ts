import { ActionError } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import { expectedUploads, lockAnnouncements } from '../sql/asset-announcements.ts';

/** How the disk of the data folder was used a moment ago. */
export interface DiskUse {
  /** How many bytes may still be written. */
  readonly freeBytes: number;
  /** What has come of uploads that are under way, by raw asset ids. */
  readonly begunBytes: ReadonlyMap<string, number>;
}

/** An asset that was announced in this transaction. Ids are raw. */
interface AnnouncedAsset {
  readonly assetId: string;
  readonly repositoryId: string;
  readonly size: number;
}

/** What uploads to other repositories may keep from one, of what is free: whoever announces much must not keep everybody else from uploading. */
const shareOfOthers = 0.5;
/** Smaller ones need only be free now: what so few bytes take from announced uploads hardly matters. */
const smallBytes = 65_536;

/**
 * Requires that an asset fits on the disk of the data folder, beside what other uploads still need that are under way or were just announced. One of these that does
 * not fit itself any more takes no room from others.
 */
export async function mustFitDisk(
  tx: Database,
  { assetId, repositoryId, size }: AnnouncedAsset,
  { freeBytes, begunBytes }: DiskUse,
  now: Date,
): Promise<void> {
  let ownBytes = size;
  let othersBytes = 0;
  if (size >= smallBytes && size <= freeBytes) {
    await lockAnnouncements(tx);
    for (const other of await expectedUploads(tx, [...begunBytes.keys()], now)) {
      const restBytes = Math.max(0, other.size - (begunBytes.get(other.asset_id) ?? 0));
      if (other.asset_id === assetId || restBytes > freeBytes) continue;
      if (other.repository_id === repositoryId) ownBytes += restBytes;
      else othersBytes += restBytes;
    }
  }
  if (ownBytes + Math.min(othersBytes, freeBytes * shareOfOthers) <= freeBytes) return;
  throw new ActionError(
    'Invalid',
    `The hub has not enough room on its disk for ${size} bytes; free some, or set an object store for the repository.`,
  );
}
