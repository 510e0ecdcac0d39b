import type { Actor } from '@corral/contract';
import { coalesceRuns } from '../concurrency/coalesce-runs.ts';
import type { EventBus } from '../events/bus.ts';
import type { Executor } from '../executor/executor.ts';
import type { ScheduledJob } from './start-jobs.ts';

interface DrainNeeds {
  readonly executor: Executor;
  readonly bus: EventBus;
  readonly log: { warn(fields: object, message: string): void };
}

/** Deletes what deleted devices have left soon after their deletion, instead of at the next run of the job. */
export interface DeviceDrain {
  /** Stops after the current step. */
  stop(): Promise<void>;
}

const system: Actor = { actor: 'System', kind: 'System' };
const caller = { actor: system, origin: {} };
const deletions = new Set<string>(['devices_Deleted', 'projects_Deleted', 'users_Deleted']);

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

/** Starts the drain of this node. What fails here is left to the job, which reports it. */
export function startDeviceDrain({ executor, bus, log }: DrainNeeds): DeviceDrain {
  let isStopped = false;
  let current: Promise<void> = Promise.resolve();
  const run = coalesceRuns(async () => {
    await drainDevices(executor, () => isStopped).catch((error: unknown) =>
      log.warn({ err: error }, 'deleted devices still have events; the job tries again'),
    );
  });
  const unsubscribe = bus.subscribe(({ name }) => {
    if (!isStopped && deletions.has(name)) current = run();
  });
  return {
    async stop() {
      isStopped = true;
      unsubscribe();
      await current;
    },
  };
}
