import type { DomainEvent } from '@corral/contract';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { CommittedEvent, EventBus } from './bus.ts';

/** Brings committed events to the bus, in the order of their commits, and forgets them once their listeners are through. */
export interface Outbox {
  /** Takes the events of one committed action. */
  afterCommit(happened: readonly CommittedEvent[]): void;
  /** Delivers what an earlier process committed and could not deliver any more. */
  recover(): Promise<void>;
  /** Ends when all that was taken has been delivered and forgotten. */
  drain(): Promise<void>;
}

interface OutboxParts {
  readonly db: Kysely<Tables>;
  readonly bus: EventBus;
  readonly log: { error(fields: object, message: string): void };
}

/** Builds the outbox over a bus. Delivered rows are deleted in batches; a row that could not be deleted is delivered again later. */
export function createOutbox({ db, bus, log }: OutboxParts): Outbox {
  let tail: Promise<void> = Promise.resolve();
  let delivered: string[] = [];

  const forget = async (): Promise<void> => {
    if (delivered.length === 0) return;
    const batch = delivered;
    delivered = [];
    try {
      await sql`delete from event_outbox where event_id = any(${batch})`.execute(db);
    } catch (error) {
      delivered.push(...batch);
      throw error;
    }
  };
  const enqueue = (work: () => Promise<void>): void => {
    tail = tail
      .then(work)
      .catch((error: unknown) => log.error({ err: error }, 'events could not be dispatched'));
  };
  const deliver = async (happened: readonly CommittedEvent[]): Promise<void> => {
    await bus.publish(happened.map(({ event }) => event));
    delivered.push(...happened.flatMap(({ outboxId }) => outboxId ?? []));
  };
  return {
    afterCommit(happened) {
      enqueue(() => deliver(happened));
      if (happened.some(({ outboxId }) => outboxId !== undefined)) enqueue(forget);
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
      enqueue(forget);
      await tail;
    },
    drain: () => tail,
  };
}
