import type { Executor } from '../../../calls/executor.ts';
import { systemCaller } from '../../../calls/handler.ts';
import type { ScheduledJob } from '../../../platform/jobs/start-jobs.ts';
import { DrainDeletedDevices } from '../internal/DrainDeletedDevices.ts';

/** Deletes all events that deleted devices have left, step by step, so that no transaction is long. */
export async function deleteEventsOfDeletedDevices(executor: Executor, ending?: AbortSignal): Promise<void> {
  for (let isComplete = false; !isComplete && ending?.aborted !== true;)
    ({ isComplete } = await executor.run(systemCaller, DrainDeletedDevices));
}

/** The job that does the same from time to time, which goes on where a node has stopped. */
export function eventDeletionJobs(executor: Executor): ScheduledJob[] {
  return [
    {
      name: 'delete-events-of-deleted-devices',
      cron: '*/10 * * * *',
      run: (ending) => deleteEventsOfDeletedDevices(executor, ending),
    },
  ];
}
