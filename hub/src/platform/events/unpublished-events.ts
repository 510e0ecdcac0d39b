import { events, type DomainEvent } from '@corral/contract';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { asynchronousCommit } from '../db/asynchronous-commit.ts';

/** Rows that one transaction takes, publishes and deletes. */
const rowsAtOnce = 200;
/** How much older than the last sweep a row may be that this sweep finds: its transaction was long, or the node that had taken it died. */
const marginMs = 60_000;
/** Every so many sweeps begin with the oldest row, whatever the last one found. */
const sweepsFromTheBeginning = 300;

/** Events that only a newer release knows are left to a node that has it. */
const isKnown = sql<boolean>`event ->> 'name' = any(${Object.keys(events)}::text[])`;

interface UnpublishedEventsParts {
  readonly db: Kysely<Tables>;
  readonly publish: (events: readonly DomainEvent[]) => Promise<void>;
  /** Whether this process publishes the row itself. */
  readonly isOwn: (eventId: string) => boolean;
}

interface UnpublishedRow {
  readonly event_id: string;
  readonly event: unknown;
  readonly created_at: string;
}

/** The event in a row, whose time the database writes with an offset. */
function eventOf({ event }: UnpublishedRow): DomainEvent {
  const written = event as DomainEvent;
  return { ...written, at: new Date(written.at).toISOString() };
}

/** The rows of the outbox that nobody has published: those of nodes that died, and those that a node had no room for. */
export class UnpublishedEvents {
  readonly #parts: UnpublishedEventsParts;
  #from = '-infinity';
  #sweeps = 0;

  constructor(parts: UnpublishedEventsParts) {
    this.#parts = parts;
  }

  /**
   * Publishes the rows that are older than the age, oldest first, and deletes them. Rows that another node has taken are left to it. A sweep without such rows is
   * one statement. It does not walk over what earlier sweeps have deleted, which the index keeps while an old transaction is open.
   */
  async sweep(minAgeMs: number, isStopped: () => boolean): Promise<void> {
    const isFromTheBeginning = this.#sweeps % sweepsFromTheBeginning === 0;
    let from = isFromTheBeginning ? '-infinity' : this.#from;
    const { to, next, isWaiting } = await this.#ask(from, minAgeMs);
    for (let isMore = isWaiting; isMore && !isStopped();) {
      const taken = await this.#publishSome(from, to);
      isMore = taken.length === rowsAtOnce;
      from = taken.at(-1)?.created_at ?? from;
    }
    this.#sweeps += 1;
    this.#from = next;
  }

  async #ask(from: string, minAgeMs: number): Promise<{ to: string; next: string; isWaiting: boolean }> {
    const { rows } = await sql<{ to: string; next: string; isWaiting: boolean }>`
      select t.limit_at as to, t.limit_at - ${marginMs} * interval '1 ms' as next, exists (
        select from event_outbox where created_at >= ${from}::timestamptz and created_at <= t.limit_at and ${isKnown}
      ) as "isWaiting" from (select clock_timestamp() - ${minAgeMs} * interval '1 ms' as limit_at) as t`.execute(
      this.#parts.db,
    );
    if (rows[0] === undefined) throw new Error('The database returned no time.');
    return rows[0];
  }

  /** The rows stay locked until they are deleted, so no other node publishes them at the same time; if this one dies, the next one does. */
  #publishSome(from: string, to: string): Promise<readonly UnpublishedRow[]> {
    return this.#parts.db.transaction().execute(async (tx) => {
      const { rows } = await sql<UnpublishedRow>`
        select event_id, event, created_at from event_outbox
        where created_at >= ${from}::timestamptz and created_at <= ${to}::timestamptz and ${isKnown}
        order by created_at, event_id limit ${rowsAtOnce} for update skip locked`.execute(tx);
      const left = rows.filter(({ event_id: eventId }) => !this.#parts.isOwn(eventId));
      if (left.length === 0) return rows;
      await this.#parts.publish(left.map(eventOf));
      const ids = left.map(({ event_id: eventId }) => eventId);
      await sql`delete from event_outbox where event_id = any(${ids}) and ${asynchronousCommit}`.execute(tx);
      return rows;
    });
  }
}
