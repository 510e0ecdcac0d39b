import type { Storages } from '../assets/storages.ts';
import type { Executor } from '../executor/executor.ts';
import { collectAssets } from './collect-assets.ts';
import { scrubAssets } from './scrub-assets.ts';
import type { ScheduledJob } from './start-jobs.ts';
import { sweepJob, sweepStores } from './sweep-stores.ts';

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
    { name: 'collect-assets', cron: '*/10 * * * *', run: () => collectAssets(parts) },
    { name: sweepJob, cron: '52 3 * * *', run: () => sweepStores({ ...parts, now }) },
    {
      name: 'scrub-assets',
      cron: '12 * * * *',
      run: () => scrubAssets({ ...parts, maxBytes: scrubBytes }),
    },
  ];
}
