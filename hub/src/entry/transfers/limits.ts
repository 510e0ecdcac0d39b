import type { MinimumProgress } from '../../domains/assets/storage/watch-progress.ts';
import type { Places } from '../../limits/fair-semaphore.ts';
import { limits } from '../../limits/table.ts';

/** The limits of transfers; times in milliseconds. */
export interface TransferLimits {
  readonly uploads: Places;
  readonly downloads: Places;
  readonly publicFiles: Places;
  /** How many downloads are checked against the kept digests at a time, which takes up to 2 MiB for each; more are sent unchecked. */
  readonly maxChecking: number;
  readonly upload: MinimumProgress;
  /** Longer than for uploads: the progress of a client shows only when the system's send buffer empties, which takes long on a slow connection. */
  readonly download: MinimumProgress;
  /** How often progress is checked. */
  readonly checkEveryMs: number;
  /** How often the lease of an upload is extended. */
  readonly extendEveryMs: number;
  /** How long an upload waits for another one of the same asset to end. */
  readonly busyWaitMs: number;
  /** How long, and how much, of a refused body is read, so that its client sees the answer. */
  readonly lingerMs: number;
  readonly lingerBytes: number;
}

/** The limits of a hub in production. */
export const defaultLimits: TransferLimits = {
  uploads: limits.uploads,
  downloads: limits.downloads,
  publicFiles: limits.publicFiles,
  maxChecking: limits.checkedDownloads.inAll,
  upload: { stallMs: 30_000, windowMs: 60_000, minWindowBytes: 61_440 },
  download: { stallMs: 300_000, windowMs: 600_000, minWindowBytes: 65_536 },
  checkEveryMs: 5_000,
  extendEveryMs: 10_000,
  busyWaitMs: 5_000,
  lingerMs: 5_000,
  lingerBytes: 16_777_216,
};
