import type { Storages } from '../storage/storages.ts';
import type { Executor } from '../../../calls/executor.ts';
import { collectAssets } from './collect-assets.ts';
import { scrubAssets } from './scrub-assets.ts';
import type { ScheduledJob } from '../../../platform/jobs/start-jobs.ts';
import { sweepJob, sweepStores } from './sweep-stores.ts';

const hourSecs = 3600;

interface AssetJobsParts {
  readonly executor: Executor;
  readonly storages: Storages;
  readonly now: () => Date;
  /** How many bytes one run of the scrub reads. */
  readonly scrubBytes: number;
  /** As in `CollectorParts`. */
  readonly stopping?: AbortSignal;
}

/** The upkeep of assets: deletes unreferenced ones, deletes or adopts objects that a crash left, and checks stored bytes. */
export function assetJobs({ now, scrubBytes, ...parts }: AssetJobsParts): ScheduledJob[] {
  return [
    { name: 'collect-assets', cron: '*/10 * * * *', run: (ending) => collectAssets(parts, ending) },
    {
      name: sweepJob,
      cron: '52 3 * * *',
      run: (ending) => sweepStores({ ...parts, now, ending }),
      // Each sweep lists all objects from the beginning.
      longestSecs: 20 * hourSecs,
    },
    {
      name: 'scrub-assets',
      cron: '12 * * * *',
      run: (ending) => scrubAssets({ ...parts, maxBytes: scrubBytes, ending }),
      // A run may begin to read the largest asset just before its time is over; it is cut short only when the hub stops.
      longestSecs: 6 * hourSecs,
    },
  ];
}
