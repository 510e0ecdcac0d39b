import type { Id } from '@corral/contract';
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

/** The dependencies of the core. */
export interface CoreParts {
  readonly database: HubDatabase;
  readonly log: Log;
  /** The time by the database's clock. */
  readonly now: () => Date;
  readonly nodeId: () => Id<'clusterNode'> | undefined;
  readonly registration: NonNullable<ExecutorParts['registration']>;
  readonly settings: NonNullable<ExecutorParts['settings']>;
  readonly sendTestMail: NonNullable<ExecutorParts['sendTestMail']>;
  readonly vault: ExecutorParts['vault'];
  readonly storages: ExecutorParts['storages'];
  readonly origins: NonNullable<ExecutorParts['origins']>;
  readonly measure: NonNullable<ExecutorParts['measure']>;
  readonly bus: EventBus;
}

/** Builds executor and outbox on the bus. The outbox publishes an action's events after its commit. */
export function createCore({
  database,
  log,
  now,
  nodeId,
  registration,
  settings,
  sendTestMail,
  origins,
  vault,
  storages,
  measure,
  bus,
}: CoreParts): Core {
  const outbox = createOutbox({ db: database.db, bus, log });
  followStores(bus, storages);
  const parts = {
    handlers,
    now,
    nodeId,
    afterCommit: (emittedEvents: readonly CommittedEvent[]) => outbox.afterCommit(emittedEvents),
    log,
    registration,
    settings,
    sendTestMail,
    origins,
    vault,
    storages,
    measure,
  };
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
