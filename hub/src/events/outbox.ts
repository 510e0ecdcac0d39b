import type { DomainEvent } from '@corral/contract';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { withoutFlush } from '../db/without-flush.ts';
import type { CommittedEvent, EventBus } from './bus.ts';

/** Publishes committed events in commit order and deletes their rows after all listeners have finished. */
export interface Outbox {
  /** Queues the events of one committed action. */
  afterCommit(emittedEvents: readonly CommittedEvent[]): void;
  /** Publishes the events that an earlier process committed but did not publish. */
  recover(): Promise<void>;
  /** Resolves when all events taken so far are published and deleted. */
  drain(): Promise<void>;
}

interface OutboxParts {
  readonly db: Kysely<Tables>;
  readonly bus: EventBus;
  readonly log: { error(fields: object, message: string): void };
}

/** How long published rows are collected before one statement deletes them. Rows that a crash leaves are published again. */
const deleteAfterMs = 100;

/** Builds the outbox. Published rows are deleted in batches; a row that could not be deleted is published again after a restart. */
export function createOutbox({ db, bus, log }: OutboxParts): Outbox {
  let tail: Promise<void> = Promise.resolve();
  let deletion: NodeJS.Timeout | undefined;
  const delivered = new DeliveredRows(db);

  const enqueue = (work: () => Promise<void>): void => {
    tail = tail
      .then(work)
      .catch((error: unknown) => log.error({ err: error }, 'events could not be dispatched'));
  };
  const deliver = async (emittedEvents: readonly CommittedEvent[]): Promise<void> => {
    await bus.publish(emittedEvents.map(({ event }) => event));
    delivered.add(emittedEvents.flatMap(({ outboxId }) => outboxId ?? []));
    if (delivered.count > 0) deletion ??= setTimeout(enqueueDeletion, deleteAfterMs).unref();
  };
  const enqueueDeletion = (): void => {
    clearTimeout(deletion);
    deletion = undefined;
    enqueue(() => delivered.delete());
  };
  const drain = async (): Promise<void> => {
    await tail;
    enqueueDeletion();
    await tail;
  };
  return {
    afterCommit(emittedEvents) {
      enqueue(() => deliver(emittedEvents));
    },
    async recover() {
      const rows = await db
        .selectFrom('event_outbox')
        .select(['event_id', 'event'])
        .orderBy('created_at')
        .orderBy('event_id')
        .execute();
      enqueue(() =>
        deliver(rows.map((row) => ({ event: row.event as unknown as DomainEvent, outboxId: row.event_id }))),
      );
      await drain();
    },
    drain,
  };
}

/** The rows whose events all listeners have received. */
class DeliveredRows {
  readonly #db: Kysely<Tables>;
  #ids: string[] = [];

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  get count(): number {
    return this.#ids.length;
  }

  add(ids: readonly string[]): void {
    this.#ids.push(...ids);
  }

  /** Rows that could not be deleted stay for the next time. */
  async delete(): Promise<void> {
    if (this.#ids.length === 0) return;
    const batch = this.#ids;
    this.#ids = [];
    try {
      // After a crash a row that comes back is published again.
      await sql`delete from event_outbox where event_id = any(${batch}) and ${withoutFlush}`.execute(
        this.#db,
      );
    } catch (error) {
      this.#ids.push(...batch);
      throw error;
    }
  }
}
