import type { Storages } from '../../assets/storages.ts';
import type { Progress } from '../../backup/progress.ts';
import type { Database } from '../../db/connect.ts';
import type { Executor } from '../../executor/executor.ts';
import { checkAssets } from './check-assets.ts';
import { checkDeletions } from './check-deletions.ts';
import { checkLeftovers } from './check-leftovers.ts';
import type { Mode, StorageFinding } from './report.ts';

/** What the checks of the stores need. Changes go through the executor and the jobs, whose locks and leases keep them apart from running hubs. */
export interface StorageDoctor {
  readonly db: Database;
  readonly executor: Executor;
  readonly storages: Storages;
  readonly now: () => Date;
  readonly mode: Mode;
  /** Whether bytes are read where a store does not tell their digest. */
  readonly isReading: boolean;
  /** Whether the assets of a data folder without any are lost, and not those of another folder or node. */
  readonly isFolderLost: boolean;
}

/** Compares the assets of the database with what the stores have, page by page. */
export async function examineStorage(doctor: StorageDoctor, progress: Progress): Promise<StorageFinding[]> {
  const leftovers = await checkLeftovers(doctor, progress);
  const assets = await checkAssets(doctor, progress);
  // Last, since strays that were found are marked by then.
  return [...assets, ...leftovers, ...(await checkDeletions(doctor))];
}
