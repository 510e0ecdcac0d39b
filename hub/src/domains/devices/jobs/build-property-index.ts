import { setTimeout as delay } from 'node:timers/promises';
import type { Executor } from '../../../calls/executor.ts';
import { systemCaller } from '../../../calls/handler.ts';
import type { ScheduledJob } from '../../../platform/jobs/start-jobs.ts';
import { BuildPropertyIndex } from '../internal/BuildPropertyIndex.ts';

const hourSecs = 3600;
const waitMs = 100;
const waitsAtMost = 100;

/** Builds the property index that filters look up, step by step. When transactions that have to end first stay open, the next run continues. */
export async function buildPropertyIndex(executor: Executor, ending?: AbortSignal): Promise<void> {
  for (let waits = 0; waits < waitsAtMost && ending?.aborted !== true;) {
    const step = await executor.run(systemCaller, BuildPropertyIndex);
    if (step === 'Complete') return;
    if (step === 'More') continue;
    waits += 1;
    await delay(waitMs);
  }
}

/** The job that builds the property index; what a filter of a large project asks for the first time is fast some minutes later. */
export function propertyIndexJobs(executor: Executor): ScheduledJob[] {
  return [
    {
      name: 'build-property-index',
      cron: '*/5 * * * *',
      run: (ending) => buildPropertyIndex(executor, ending),
      keepSecs: hourSecs,
    },
  ];
}
