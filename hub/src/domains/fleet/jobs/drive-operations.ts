import { ids, type Id } from '@corral/contract';
import { type Answer, systemCaller, type InternalRunner } from '../../../calls/handler.ts';
import { coalesceRuns } from '../../../platform/concurrency/coalesce-runs.ts';
import { repeat } from '../../../platform/concurrency/repeat.ts';
import type { EventBus } from '../../../platform/events/bus.ts';
import type { LogFields } from '../../../platform/log/log-fields.ts';
import { DriveOperation } from '../internal/DriveOperation.ts';
import { FindDrivenOperations } from '../internal/FindDrivenOperations.ts';

/** So long one operation keeps the others waiting. */
const turnMs = 1_000;
/** An operation with which nothing could be done is looked at again after so many times as long as the look took: of a fleet that is switched off it may take long. */
const restFactor = 10;
const longestRestMs = 60_000;
/** One that failed is tried again after so long. */
const failedRestMs = 10_000;

interface Log {
  warn(fields: LogFields, message: string): void;
}

/** Lets the operations of all projects go on, on each node: what one node does, the others leave. */
export class FleetDriver {
  readonly #runner: InternalRunner;
  readonly #log: Log;
  readonly #nowMs: () => number;
  readonly #restsUntil = new Map<string, number>();
  /** Devices that were selected and are to join when it is the turn of their operation again. */
  readonly #late = new Map<string, Answer<typeof DriveOperation>['late']>();

  constructor(runner: InternalRunner, log: Log, nowMs: () => number = () => performance.now()) {
    this.#runner = runner;
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /** Has an operation, by its raw id, looked at again at once. */
  due(operationId: string): void {
    this.#restsUntil.delete(operationId);
  }

  /** Does what can be done; whether there is more to do at once. */
  async tick(): Promise<boolean> {
    const driven = await this.#runner.run(systemCaller, FindDrivenOperations);
    for (const map of [this.#restsUntil, this.#late])
      for (const id of map.keys()) if (!driven.includes(id)) map.delete(id);
    let isMore = false;
    for (const operationId of driven)
      if ((this.#restsUntil.get(operationId) ?? 0) <= this.#nowMs())
        isMore = (await this.#tryToDrive(operationId)) || isMore;
    return isMore;
  }

  /** One that fails rests, and keeps no other one waiting. */
  async #tryToDrive(operationId: string): Promise<boolean> {
    try {
      return await this.#drive(operationId);
    } catch (error) {
      this.#restsUntil.set(operationId, this.#nowMs() + failedRestMs);
      const fleetOperationId = ids.fleetOperation.of(operationId);
      this.#log.warn({ err: error, fleetOperationId }, 'an operation could not go on and is tried again');
      return false;
    }
  }

  async #drive(operationId: string): Promise<boolean> {
    const beganMs = this.#nowMs();
    let hasDone = false;
    for (;;) {
      const lookedMs = this.#nowMs();
      const late = this.#late.get(operationId);
      this.#late.delete(operationId);
      const { isMore, late: left } = await this.#runner.run(systemCaller, DriveOperation, {
        operationId,
        late,
      });
      if (left !== undefined) this.#late.set(operationId, left);
      const nowMs = this.#nowMs();
      if (!isMore && !hasDone)
        this.#restsUntil.set(operationId, nowMs + Math.min(longestRestMs, (nowMs - lookedMs) * restFactor));
      if (!isMore) return false;
      hasDone = true;
      if (nowMs - beganMs > turnMs) return true;
    }
  }
}

const tickMs = 1_000;

interface TickParts {
  readonly executor: InternalRunner;
  readonly bus: EventBus;
  readonly log: Log;
}

/** Lets operations go on each second, and as soon as this node has ended one on a device or somebody has started one; each node does so. */
export function startFleetTicks({ executor, bus, log }: TickParts): { stop(): Promise<void> } {
  const driver = new FleetDriver(executor, log);
  let isStopped = false;
  const tick = coalesceRuns(async () => {
    try {
      while (!isStopped && (await driver.tick()));
    } catch (error) {
      log.warn({ err: error }, 'operations on fleets could not go on and are tried again');
    }
  });
  const stopTicks = repeat(tick, tickMs, log);
  const unsubscribe = bus.subscribeToOwn(({ name, data }) => {
    if (name !== 'fleet_OperationDue' || typeof data['fleetOperationId'] !== 'string') return;
    driver.due(ids.fleetOperation.raw(data['fleetOperationId'] as Id<'fleetOperation'>));
    void tick();
  });
  return {
    async stop() {
      isStopped = true;
      unsubscribe();
      await stopTicks();
    },
  };
}
