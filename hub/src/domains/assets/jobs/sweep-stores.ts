import type { Executor } from '../../../calls/executor.ts';
import { systemCaller } from '../../../calls/handler.ts';
import { ReportJobProgress } from '../../instance/internal/ReportJobProgress.ts';
import { StorageError, unfinishedUploadMs } from '../storage/asset-storage.ts';
import type { Storages } from '../storage/storages.ts';
import { deleteMarkedAssets } from './collect-assets.ts';
import { findLeftovers } from './leftovers.ts';
import { removeLeftover } from './remove-leftover.ts';

interface SweepParts {
  readonly executor: Executor;
  readonly storages: Storages;
  readonly now: () => Date;
  /** As in `CollectorParts`. */
  readonly stopping?: AbortSignal;
  /** As in `ScheduledJob.run`. */
  readonly ending?: AbortSignal;
}

/** The name of the job that sweeps the stores. */
export const sweepJob = 'sweep-asset-stores';

/**
 * Removes what crashes left behind: unfinished uploads, objects of checks of a store, and objects of no asset. Finishes uploads whose bytes are there but whose client died before the
 * asset became available. Rejects with the stores that did not answer, or that a restored copy has not claimed, after it has swept the others.
 * The job says after each page of a listing how many objects it has looked at.
 */
export async function sweepStores({ now, ...parts }: SweepParts): Promise<void> {
  let examined = 0;
  const onListed = async (objects: number): Promise<void> => {
    examined += objects;
    await parts.executor.run(systemCaller, ReportJobProgress, { job: sweepJob, examined });
  };
  const search = { ...parts, before: new Date(now().getTime() - unfinishedUploadMs), onListed };
  await onListed(0);
  const problems = new Set<string>();
  for await (const found of findLeftovers(search)) {
    if (parts.ending?.aborted === true) break;
    if ('why' in found) problems.add(found.why);
    else await removeLeftover(search, found).catch((error: unknown) => problems.add(messageOf(error)));
  }
  await deleteMarkedAssets(parts, parts.ending);
  if (problems.size > 0) throw new Error([...problems].join(' '));
}

function messageOf(error: unknown): string {
  if (error instanceof StorageError) return error.message;
  throw error;
}
