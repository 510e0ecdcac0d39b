import type { Executor } from '../../../calls/executor.ts';
import { systemCaller } from '../../../calls/handler.ts';
import type { Jobs, ScheduledJob } from '../../../platform/jobs/start-jobs.ts';
import {
  startWorkAfterEvents,
  type WorkAfterEvents,
  type WorkParts,
} from '../../../platform/jobs/work-after-events.ts';
import { DrainDeletedProjects } from '../../projects/internal/DrainDeletedProjects.ts';
import { deleteEventsOfDeletedDevices } from './delete-events-of-deleted-devices.ts';

const name = 'delete-devices-of-deleted-projects';
const deletions = new Set<string>(['projects_Deleted', 'devices_Deleted']);

/** Deletes the rows of all deleted devices and of all devices of deleted projects, step by step, so that no transaction is long, and then their events. */
export async function deleteDevicesOfDeletedProjects(
  executor: Executor,
  ending?: AbortSignal,
): Promise<void> {
  for (let isComplete = false; !isComplete && ending?.aborted !== true;)
    ({ isComplete } = await executor.run(systemCaller, DrainDeletedProjects));
  await deleteEventsOfDeletedDevices(executor, ending);
}

/** The job that does the same from time to time, which goes on where a node has stopped. */
export function deviceDeletionJobs(executor: Executor): ScheduledJob[] {
  return [
    { name, cron: '5-55/10 * * * *', run: (ending) => deleteDevicesOfDeletedProjects(executor, ending) },
  ];
}

/** Queues the job soon after a deletion, instead of at its next scheduled time. When several nodes do so, it still runs once. */
export function startDeviceDeletion(parts: WorkParts, jobs: Jobs): WorkAfterEvents {
  return startWorkAfterEvents(parts, {
    events: deletions,
    run: () => jobs.runSoon(name),
    failed: 'deleted devices still have data; the job deletes them at the time of its schedule',
  });
}
