import { ActionError, ids } from '@corral/contract';
import type { Database } from '../db/connect.ts';
import { lockAnnouncements, recentAnnouncements } from '../store/asset-announcements.ts';

/** How the disk of the data folder was used a moment ago. */
export interface DiskUse {
  /** How many bytes may still be written. */
  readonly freeBytes: number;
  /** What has come of uploads that are not complete, by asset ids, raw or not. */
  readonly unfinishedBytes: ReadonlyMap<string, number>;
}

/** An asset that was announced in this transaction. */
interface AnnouncedAsset {
  /** Raw. */
  readonly assetId: string;
  readonly size: number;
}

/**
 * Requires that an asset fits on the disk of the data folder, beside what other recent uploads still need. One of these that does not fit itself any more takes no room
 * from others.
 */
export async function mustFitDisk(
  tx: Database,
  { assetId, size }: AnnouncedAsset,
  { freeBytes, unfinishedBytes }: DiskUse,
  now: Date,
): Promise<void> {
  const sizeOf = (id: string): number => unfinishedBytes.get(id) ?? 0;
  let neededBytes = size;
  if (size <= freeBytes) {
    await lockAnnouncements(tx);
    for (const other of await recentAnnouncements(tx, now)) {
      const { asset_id: id } = other;
      const restBytes = Math.max(0, other.size - sizeOf(id) - sizeOf(ids.asset.of(id)));
      if (id !== assetId && restBytes <= freeBytes) neededBytes += restBytes;
    }
  }
  if (neededBytes <= freeBytes) return;
  throw new ActionError(
    'Invalid',
    `The hub has not enough room on its disk for ${size} bytes; free some, or set an object store for the repository.`,
  );
}
