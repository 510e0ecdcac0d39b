import type { Executor } from '../../../calls/executor.ts';
import { systemCaller } from '../../../calls/handler.ts';
import { coalesceRuns } from '../../../platform/concurrency/coalesce-runs.ts';
import { forEachConcurrently } from '../../../platform/concurrency/for-each-concurrently.ts';
import { repeat } from '../../../platform/concurrency/repeat.ts';
import type { EventBus } from '../../../platform/events/bus.ts';
import type { LogFields } from '../../../platform/log/log-fields.ts';
import { FindDueOperations } from '../internal/FindDueOperations.ts';
import { HintUntakenSteps } from '../internal/HintUntakenSteps.ts';
import { MoveOperation } from '../internal/MoveOperation.ts';

const tickMs = 1_000;
/** A node that dies is known to be dead after 15 s; its steps go on within 20. */
const hintEveryMs = 3_000;
/** Operations that are moved at a time; each takes a connection to the database. */
const movedAtOnce = 4;

interface TickParts {
  readonly executor: Executor;
  readonly bus: EventBus;
  readonly log: { warn(fields: LogFields, message: string): void };
}

/** Does what is due of all operations on devices. One that fails, which the executor logs, does not keep the others. */
export async function tickOperations(executor: Executor): Promise<void> {
  const due = await executor.run(systemCaller, FindDueOperations);
  await forEachConcurrently(due, movedAtOnce, (operationId) =>
    executor.run(systemCaller, MoveOperation, operationId).catch(() => undefined),
  );
}

/** Looks each second, and as soon as this node has ended an operation of one device, which operations are due; each node does so. */
export function startOperationTicks({ executor, bus, log }: TickParts): { stop(): Promise<void> } {
  const tick = coalesceRuns(async () => {
    try {
      await tickOperations(executor);
    } catch (error) {
      log.warn({ err: error }, 'operations could not be moved and are tried again');
    }
  });
  const stopTicks = repeat(tick, tickMs, log);
  const stopHints = repeat(() => executor.run(systemCaller, HintUntakenSteps), hintEveryMs, log);
  const unsubscribe = bus.subscribeToOwn(({ name, data }) => {
    // Those of operations on a fleet, which may end by hundreds a second, are for their driver.
    if (name === 'fleet_OperationDue' && data['fleetOperationId'] === undefined) void tick();
  });
  return {
    async stop() {
      unsubscribe();
      await Promise.all([stopTicks(), stopHints()]);
    },
  };
}
