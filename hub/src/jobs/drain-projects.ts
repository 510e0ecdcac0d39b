import type { Executor } from '../executor/executor.ts';
import { systemCaller } from '../executor/system-caller.ts';
import { drainDevices } from './drain-devices.ts';
import type { Jobs, ScheduledJob } from './start-jobs.ts';
import { startWorkAfterEvents, type WorkAfterEvents, type WorkNeeds } from './work-after-events.ts';

const name = 'delete-devices-of-deleted-projects';
const deletions = new Set<string>(['projects_Deleted', 'devices_Deleted']);

/** Deletes all devices that were deleted, or that deleted projects have left, step by step, so that no transaction is long, and then their events. */
export async function drainProjects(executor: Executor): Promise<void> {
  for (let isComplete = false; !isComplete;)
    ({ isComplete } = await executor.invoke(systemCaller, 'projects_DrainDeletedProjects', {}));
  await drainDevices(executor);
}

/** Goes on where a node has stopped. */
export function projectDrainJobs(executor: Executor): ScheduledJob[] {
  return [{ name, cron: '5-55/10 * * * *', run: () => drainProjects(executor) }];
}

/** Queues the job after a deletion, instead of at the time of its schedule. Of several nodes that do, the queue takes one. */
export function startProjectDrain(needs: WorkNeeds, jobs: Jobs): WorkAfterEvents {
  return startWorkAfterEvents(needs, {
    events: deletions,
    run: () => jobs.runSoon(name),
    failed: 'deleted devices still have data; the job deletes them at the time of its schedule',
  });
}
