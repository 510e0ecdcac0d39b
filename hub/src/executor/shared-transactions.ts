import type { ActionName } from '@corral/contract';
import type { Kysely } from 'kysely';
import { BatchQueue } from '../concurrency/BatchQueue.ts';
import { withLockTimeout, type Database } from '../db/connect.ts';
import type { Tables } from '../db/tables.ts';

/** What a command does in its transaction; it may be run again after it was rolled back. */
type Work<Answer> = (tx: Database) => Promise<Answer>;

/** The result of the work in the shared transaction; `undefined` if it has to be run alone. */
type Outcome = { readonly answer: unknown } | { readonly error: unknown } | undefined;

/** A command that waits longer for a lock would delay the others of its transaction. */
const lockTimeoutMs = 250;
const lockTimeoutCode = '55P03';

/** Runs what commands do in transactions that they share. */
export interface SharedTransactions {
  /** Resolves with the answer of the work once it is committed. `runAlone` runs it in a transaction of its own, if it has to be. */
  run<Answer>(name: ActionName, work: Work<Answer>, runAlone: () => Promise<Answer>): Promise<Answer>;
}

/**
 * Commands of one name that arrive while others of that name are in a transaction share the next one: BEGIN, COMMIT and the statements made by `batch` are then
 * sent once. If one of them fails, or waits for a lock, all are rolled back, and each runs in a transaction of its own.
 */
export function createSharedTransactions(db: Kysely<Tables>): SharedTransactions {
  const dbWithLockTimeout = withLockTimeout(db, lockTimeoutMs);
  const queues = new Map<ActionName, BatchQueue<Work<unknown>, Outcome>>();
  return {
    async run<Answer>(name: ActionName, work: Work<Answer>, runAlone: () => Promise<Answer>) {
      let queue = queues.get(name);
      if (queue === undefined)
        queues.set(name, (queue = new BatchQueue((works) => runTogether(dbWithLockTimeout, works))));
      const outcome = await queue.ask(work);
      if (outcome === undefined) return runAlone();
      if ('error' in outcome) throw outcome.error;
      return outcome.answer as Answer;
    },
  };
}

async function runTogether(db: Database, works: readonly Work<unknown>[]): Promise<readonly Outcome[]> {
  let isCommitting = false;
  try {
    return await db.transaction().execute(async (tx) => {
      // All have ended before the transaction does.
      const ended = await Promise.allSettled(works.map((work) => work(tx)));
      const outcomes = ended.map((one) => {
        if (one.status === 'rejected') throw one.reason;
        return { answer: one.value };
      });
      isCommitting = true;
      return outcomes;
    });
  } catch (error) {
    // A commit without an answer may have taken effect: as with one of a single command, nothing is run again.
    const isOwn = works.length === 1 && (error as { code?: unknown }).code !== lockTimeoutCode;
    return works.map(() => (isOwn || isCommitting ? { error } : undefined));
  }
}
