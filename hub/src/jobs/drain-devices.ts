import type { Actor } from '@corral/contract';
import type { Executor } from '../executor/executor.ts';
import type { ScheduledJob } from './start-jobs.ts';
import { startWorkAfterEvents, type WorkAfterEvents, type WorkNeeds } from './work-after-events.ts';

const system: Actor = { actor: 'System', kind: 'System' };
const caller = { actor: system, origin: {} };
const deletions = new Set<string>(['devices_Deleted']);

/** Deletes all events that deleted devices have left, step by step, so that no transaction is long. */
export async function drainDevices(executor: Executor, isStopped = () => false): Promise<void> {
  for (let isComplete = false; !isComplete && !isStopped();)
    ({ isComplete } = await executor.invoke(caller, 'devices_DrainDeletedDevices', {}));
}

/** Goes on where a node has stopped. */
export function drainJobs(executor: Executor): ScheduledJob[] {
  return [
    { name: 'delete-events-of-deleted-devices', cron: '*/10 * * * *', run: () => drainDevices(executor) },
  ];
}

/** Deletes what deleted devices have left soon after their deletion, instead of at the next run of the job. */
export function startDeviceDrain(needs: WorkNeeds): WorkAfterEvents {
  return startWorkAfterEvents(needs, {
    events: deletions,
    run: drainDevices,
    failed: 'deleted devices still have events; the job tries again',
  });
}
