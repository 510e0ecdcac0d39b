import type { Actor } from '@corral/contract';
import type { Executor } from '../executor/executor.ts';
import type { ScheduledJob } from './start-jobs.ts';

const system: Actor = { actor: 'System', kind: 'System' };
const caller = { actor: system, origin: {} };

/** Deletes all events that deleted devices have left, step by step, so that no transaction is long. */
export async function drainDevices(executor: Executor): Promise<void> {
  for (let isComplete = false; !isComplete;)
    ({ isComplete } = await executor.invoke(caller, 'devices_DrainDeletedDevices', {}));
}

/** Goes on where a node has stopped. */
export function drainJobs(executor: Executor): ScheduledJob[] {
  return [
    { name: 'delete-events-of-deleted-devices', cron: '*/10 * * * *', run: () => drainDevices(executor) },
  ];
}
