import { sql, type Kysely } from 'kysely';
import { coalesceRuns } from '../concurrency/coalesce-runs.ts';
import { planOnce } from '../db/plan-once.ts';
import type { Tables } from '../db/tables.ts';
import { asynchronousCommit } from '../db/asynchronous-commit.ts';
import type { CommittedEvent, EventBus } from './bus.ts';
import { UnpublishedEvents } from './unpublished-events.ts';
import type { LogFields } from '../log/log-fields.ts';

/**
 * Publishes committed events, at least once: those of this process in commit order, as soon as they are committed, and those that no process has published within five
 * seconds, oldest first. Their rows are deleted after all listeners have finished.
 */
export interface Outbox {
  /** Queues the events of one committed action. Behind 50,000 others in this process, they are left to the sweep of unpublished rows, and hints are dropped. */
  afterCommit(emittedEvents: readonly CommittedEvent[]): void;
  /** Publishes all rows that are in the table, and from then on those that a node leaves behind. */
  start(): Promise<void>;
  /** Publishes now what a node has left behind. */
  sweep(): Promise<void>;
  /** Resolves when all events taken so far are published and deleted. */
  drain(): Promise<void>;
  /** Ends the sweeps for rows of others, and drains. */
  stop(): Promise<void>;
}

interface OutboxParts {
  readonly db: Kysely<Tables>;
  readonly bus: EventBus;
  readonly log: { error(fields: LogFields, message: string): void };
  /** How many events may wait in memory; 50,000 by default. */
  readonly maxWaiting?: number;
  /** How often to look for rows that a node has left; 2 s by default. */
  readonly sweepEveryMs?: number;
  /** The age at which a row counts as left, since its own node publishes it within milliseconds; 5 s by default. */
  readonly unpublishedAfterMs?: number;
}

/** How long published rows are collected before one statement deletes them. Rows that a crash leaves are published again. */
const deleteAfterMs = 100;
/** Events that are published before the event loop gets its turn. */
const eventsAtOnce = 200;

/** Builds the outbox. Published rows are deleted in batches; a row that could not be deleted is deleted with the next one. */
export function createOutbox({
  db,
  bus,
  log,
  maxWaiting = 50_000,
  sweepEveryMs = 2_000,
  unpublishedAfterMs = 5_000,
}: OutboxParts): Outbox {
  const own = new OwnEvents({
    db,
    bus,
    maxWaiting,
    onError: (error) => log.error({ err: error }, 'events could not be dispatched'),
    onFull: () =>
      log.error({ maxWaiting }, 'events come faster than they are dispatched; some wait in the database'),
  });
  const unpublished = new UnpublishedEvents({
    db,
    publish: (events) => bus.publish(events),
    isOwn: (eventId) => own.has(eventId),
  });
  const sweep = createSweep({ own, unpublished, log, unpublishedAfterMs });
  let timer: NodeJS.Timeout | undefined;
  return {
    afterCommit: (emittedEvents) => own.add(emittedEvents),
    start() {
      timer ??= setInterval(() => void sweep.run(), sweepEveryMs);
      return sweep.run();
    },
    sweep: () => sweep.run(),
    drain: () => own.drain(),
    async stop() {
      clearInterval(timer);
      await sweep.stop();
      await own.drain();
    },
  };
}

interface SweepParts extends Required<Pick<OutboxParts, 'log' | 'unpublishedAfterMs'>> {
  readonly own: OwnEvents;
  readonly unpublished: UnpublishedEvents;
}

/** Publishes the rows that a node has left, one sweep at a time. The first of several failures in a row is logged. */
function createSweep({ own, unpublished, log, unpublishedAfterMs }: SweepParts) {
  let latest: Promise<void> | undefined;
  let isStopped = false;
  let hasStarted = false;
  let hasFailed = false;
  const run = coalesceRuns(async () => {
    if (isStopped) return;
    try {
      await own.delete();
      // What an earlier process of this node left behind may be a moment old.
      await unpublished.sweep(hasStarted ? unpublishedAfterMs : 0, () => isStopped);
      hasStarted = true;
      hasFailed = false;
    } catch (error) {
      if (!hasFailed)
        log.error({ err: error }, 'events that were left could not be dispatched; the hub tries again');
      hasFailed = true;
    }
  });
  return {
    run: () => (latest = run()),
    /** Ends the sweeps, and resolves when the latest has ended. */
    async stop() {
      isStopped = true;
      await latest;
    },
  };
}

interface OwnEventsParts extends Pick<OutboxParts, 'db' | 'bus'> {
  readonly maxWaiting: number;
  readonly onError: (error: unknown) => void;
  /** Called with the first event that finds no room, and again only after all others were published. */
  readonly onFull: () => void;
}

/** The events that this process has committed, until their rows are deleted. */
class OwnEvents {
  readonly #parts: OwnEventsParts;
  #isFull = false;
  #waiting: CommittedEvent[] = [];
  #publishing: Promise<void> | undefined;
  #delivered: string[] = [];
  #deletion: NodeJS.Timeout | undefined;
  /** Deletes the published rows; apart from publishing, since another node may hold a row that it took for left. */
  readonly delete: () => Promise<void>;
  readonly #ids = new Set<string>();

  constructor(parts: OwnEventsParts) {
    this.#parts = parts;
    this.delete = coalesceRuns(() => this.#deleteDelivered().catch(parts.onError));
  }

  /** Whether the row is one of this process that it has not deleted yet. */
  has(eventId: string): boolean {
    return this.#ids.has(eventId);
  }

  add(events: readonly CommittedEvent[]): void {
    for (const one of events) {
      if (!this.#checkRoom()) continue;
      this.#waiting.push(one);
      if (one.outboxId !== undefined) this.#ids.add(one.outboxId);
    }
    this.#publishing ??= this.#publish().finally(() => (this.#publishing = undefined));
  }

  /** Whether there is room for another event; reports the first one without. Its row stays in the table then, where a sweep of any node finds it. */
  #checkRoom(): boolean {
    const hasRoom = Math.max(this.#waiting.length, this.#ids.size) < this.#parts.maxWaiting;
    if (!hasRoom && !this.#isFull) this.#parts.onFull();
    this.#isFull = !hasRoom || (this.#isFull && this.#waiting.length > 0);
    return hasRoom;
  }

  async drain(): Promise<void> {
    while (this.#publishing !== undefined) await this.#publishing;
    clearTimeout(this.#deletion);
    this.#deletion = undefined;
    await this.delete();
  }

  async #publish(): Promise<void> {
    // The call that has committed them answers first.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, eventsAtOnce);
      await this.#parts.bus.publish(batch.map(({ event }) => event)).catch(this.#parts.onError);
      this.#delivered.push(...batch.flatMap(({ outboxId }) => outboxId ?? []));
      if (this.#delivered.length > 0)
        this.#deletion ??= setTimeout(() => this.#deleteSoon(), deleteAfterMs).unref();
      if (this.#waiting.length >= eventsAtOnce) await new Promise(setImmediate);
    }
  }

  #deleteSoon(): void {
    this.#deletion = undefined;
    void this.delete();
  }

  /** Rows that could not be deleted stay for the next time. */
  async #deleteDelivered(): Promise<void> {
    if (this.#delivered.length === 0) return;
    const batch = this.#delivered;
    this.#delivered = [];
    try {
      // After a crash a row that comes back is published again.
      await sql`delete from event_outbox where event_id = any(${planOnce(batch, 'text')}) and ${asynchronousCommit}`.execute(
        this.#parts.db,
      );
      for (const id of batch) this.#ids.delete(id);
    } catch (error) {
      this.#delivered.push(...batch);
      throw error;
    }
  }
}
