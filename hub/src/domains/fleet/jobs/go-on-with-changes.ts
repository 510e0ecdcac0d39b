import { ids } from '@corral/contract';
import { systemCaller, type InternalRunner } from '../../../calls/handler.ts';
import { coalesceRuns } from '../../../platform/concurrency/coalesce-runs.ts';
import { repeat } from '../../../platform/concurrency/repeat.ts';
import type { EventBus } from '../../../platform/events/bus.ts';
import type { LogFields } from '../../../platform/log/log-fields.ts';
import { FindUnfinishedChanges } from '../internal/FindUnfinishedChanges.ts';
import { GoOnWithChange } from '../internal/GoOnWithChange.ts';

const tickMs = 1_000;

interface TickParts {
  readonly executor: InternalRunner;
  readonly bus: EventBus;
  readonly log: { warn(fields: LogFields, message: string): void };
}

/** Goes on with all changes that have not ended, each in turn; whether there is more to do at once. */
export async function goOnWithChanges({
  executor,
  log,
}: Pick<TickParts, 'executor' | 'log'>): Promise<boolean> {
  let isMoreOfAny = false;
  for (const changeId of await executor.run(systemCaller, FindUnfinishedChanges))
    try {
      const { isMore } = await executor.run(systemCaller, GoOnWithChange, { changeId });
      isMoreOfAny ||= isMore;
    } catch (error) {
      const jobId = ids.fleetJob.of(changeId);
      log.warn({ err: error, jobId }, 'a change of devices could not go on and is tried again');
    }
  return isMoreOfAny;
}

/** Goes on with changes each second, and as soon as one begins on this node; each node does so, also with those of a node that was lost. */
export function startChangeTicks(parts: TickParts): { stop(): Promise<void> } {
  let isStopped = false;
  const tick = coalesceRuns(async () => {
    try {
      while (!isStopped && (await goOnWithChanges(parts)));
    } catch (error) {
      parts.log.warn({ err: error }, 'changes of devices could not go on and are tried again');
    }
  });
  const stopTicks = repeat(tick, tickMs, parts.log);
  const unsubscribe = parts.bus.subscribeToOwn(({ name }) => {
    if (name === 'fleet_ChangeDue') void tick();
  });
  return {
    async stop() {
      isStopped = true;
      unsubscribe();
      await stopTicks();
    },
  };
}
