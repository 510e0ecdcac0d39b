import { createExecutor, type Executor, type ExecutorParts } from '../calls/executor.ts';
import { UntakenAnswers } from '../calls/turns.ts';
import { handlers } from '../domains/handlers.ts';
import { type AllRefusedCalls, countRefusedCalls } from '../limits/bucket.ts';
import type { CommittedEvent, EventBus } from '../platform/events/bus.ts';
import { createOutbox, type Outbox } from '../platform/events/outbox.ts';
import type { Log } from '../platform/log/log.ts';
import { followStores } from './follow-stores.ts';
import type { HubDatabase } from './open-database.ts';

/** The executor, the event bus and the outbox, which all other parts of the hub use. */
export interface Core {
  readonly executor: Executor;
  /** The executor of the heartbeats of this node, on a database connection of their own. */
  readonly heartbeatExecutor: Executor;
  readonly bus: EventBus;
  readonly outbox: Outbox;
  /** Counted over HTTP and links together. */
  readonly refusedCalls: AllRefusedCalls;
  /** The answers that are made but not yet sent, over HTTP and links together. */
  readonly untakenAnswers: UntakenAnswers;
  /** Writes the records that the executor still has in memory; to be called when nothing uses it any more. */
  stopExecutor(): Promise<void>;
}

/** The dependencies of the core: those of the executor that it does not make itself, and what it makes them of. */
export interface CoreParts extends Required<
  Omit<ExecutorParts, 'handlers' | 'db' | 'openingDb' | 'afterCommit' | 'log'>
> {
  readonly database: HubDatabase;
  readonly log: Log;
  readonly bus: EventBus;
}

/** Builds executor and outbox on the bus. The outbox publishes an action's events after its commit. */
export function createCore({ database, bus, ...given }: CoreParts): Core {
  const outbox = createOutbox({ db: database.db, bus, log: given.log });
  followStores(bus, given.storages);
  const afterCommit = (emittedEvents: readonly CommittedEvent[]) => outbox.afterCommit(emittedEvents);
  const parts = { ...given, handlers, afterCommit };
  const { db, openingDb, heartbeatDb } = database;
  const executor = createExecutor({ ...parts, db, openingDb });
  const heartbeatExecutor = createExecutor({ ...parts, db: heartbeatDb, openingDb: heartbeatDb });
  return {
    executor,
    heartbeatExecutor,
    bus,
    outbox,
    refusedCalls: countRefusedCalls(() => performance.now()),
    untakenAnswers: new UntakenAnswers(),
    stopExecutor: () => executor.stop(),
  };
}
