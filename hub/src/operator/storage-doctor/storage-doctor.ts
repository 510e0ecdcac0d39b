import type { Storages } from '../../domains/assets/storage/storages.ts';
import type { Progress } from '../backup/progress.ts';
import type { Database } from '../../platform/db/connect.ts';
import type { Executor } from '../../calls/executor.ts';
import { checkAssets } from './check-assets.ts';
import { checkDeletions } from './check-deletions.ts';
import { checkLeftovers } from './check-leftovers.ts';
import type { Mode, StorageFinding } from './report.ts';

/** The dependencies of the checks. Changes use the executor and the code of the jobs, whose locks and leases prevent conflicts with running hubs. */
export interface StorageDoctor {
  readonly db: Database;
  readonly executor: Executor;
  readonly storages: Storages;
  readonly now: () => Date;
  readonly mode: Mode;
  /** Whether to read the bytes of assets whose digest the store does not report. */
  readonly isReading: boolean;
  /** Whether an empty data folder means that its assets are lost, and not that it is the wrong folder or node. */
  readonly isFolderLost: boolean;
}

/** Compares the assets in the database with the contents of the stores, page by page. */
export async function examineStorage(doctor: StorageDoctor, progress: Progress): Promise<StorageFinding[]> {
  const leftovers = await checkLeftovers(doctor, progress);
  const assets = await checkAssets(doctor, progress);
  // The last check, because the ones before mark stray objects for deletion.
  return [...assets, ...leftovers, ...(await checkDeletions(doctor))];
}
