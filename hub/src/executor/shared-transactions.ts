import type { ActionName } from '@corral/contract';
import type { Kysely } from 'kysely';
import { RecentKeys } from '../concurrency/recent-keys.ts';
import { outsideCalls } from '../concurrency/response-memory.ts';
import { withLockTimeout, type Database } from '../db/connect.ts';
import type { Tables } from '../db/tables.ts';

/** What a command does in its transaction; it may be run again after it was rolled back. */
type Work<Answer> = (tx: Database) => Promise<Answer>;

/** The result of the work in the shared transaction; `undefined` if it has to be run alone. */
type Outcome = { readonly answer: unknown } | { readonly error: unknown } | undefined;

/** A command that waits longer for a lock would delay the others of its transaction. */
const lockTimeoutMs = 250;
const lockTimeoutCode = '55P03';
/** PostgreSQL's code for a statement after another of its transaction has failed. */
const failedTransactionCode = '25P02';
/** How long commands with the key of one that failed run alone, so that a locked row does not hold up others again and again; and how many keys are remembered. */
const aloneForMs = 10_000;
const maxAlone = 1_000;

/** How many transactions of one action run at a time, each on a connection of its own. */
const transactionsAtOnce = 2;
/** More commands in one transaction would delay the answers. */
const maxInTransaction = 64;

/** A command that waits for a transaction. */
interface SharedCommand {
  readonly name: ActionName;
  /** What it changes: of two commands with the same key, one waits until the other has ended. */
  readonly key?: string | undefined;
}

/** Runs what commands do in transactions that they share. */
export interface SharedTransactions {
  /** Resolves with the answer of the work once it is committed. `runAlone` runs it in a transaction of its own, if it has to be. */
  run<Answer>(command: SharedCommand, work: Work<Answer>, runAlone: () => Promise<Answer>): Promise<Answer>;
}

/**
 * Commands of one name that arrive while others of that name are in transactions share the next one: BEGIN, COMMIT and the statements made by `batch` are then
 * sent once. If one of them fails, or waits for a lock, all are rolled back, and each runs in a transaction of its own.
 */
export function createSharedTransactions(db: Kysely<Tables>): SharedTransactions {
  const dbWithLockTimeout = withLockTimeout(db, lockTimeoutMs);
  const queues = new Map<ActionName, SharedQueue>();
  return {
    async run<Answer>({ name, key }: SharedCommand, work: Work<Answer>, runAlone: () => Promise<Answer>) {
      let queue = queues.get(name);
      if (queue === undefined) queues.set(name, (queue = new SharedQueue(dbWithLockTimeout)));
      const outcome = await queue.run(work, key);
      if (outcome === undefined) return runAlone();
      if ('error' in outcome) throw outcome.error;
      return outcome.answer as Answer;
    },
  };
}

interface Waiting {
  readonly work: Work<unknown>;
  readonly key: string | undefined;
  readonly outcome: PromiseWithResolvers<Outcome>;
}

/** The commands of one name. */
class SharedQueue {
  readonly #db: Database;
  #waiting: Waiting[] = [];
  #running = 0;
  #isStarting = false;
  /** The keys of commands that run. */
  readonly #keys = new Set<string>();
  /** Until when commands with these keys run alone, on the clock of `performance`. */
  readonly #aloneUntilMs = new RecentKeys<number>(maxAlone);

  constructor(db: Database) {
    this.#db = db;
  }

  async run(work: Work<unknown>, key: string | undefined): Promise<Outcome> {
    if (key !== undefined && (this.#aloneUntilMs.peek(key) ?? 0) > performance.now()) return undefined;
    const outcome = Promise.withResolvers<Outcome>();
    this.#waiting.push({ work, key, outcome });
    this.#startSoon();
    return outcome.promise;
  }

  /** At the end of this turn of the event loop, with all that has arrived in it. */
  #startSoon(): void {
    if (this.#isStarting || this.#running >= transactionsAtOnce) return;
    this.#isStarting = true;
    outsideCalls(() =>
      setImmediate(() => {
        this.#isStarting = false;
        const commands = this.#take();
        if (commands.length === 0) return;
        void this.#runTogether(commands);
        if (this.#waiting.length > 0) this.#startSoon();
      }),
    );
  }

  #take(): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    for (const one of this.#waiting) {
      const isFree = taken.length < maxInTransaction && (one.key === undefined || !this.#keys.has(one.key));
      (isFree ? taken : left).push(one);
      if (isFree && one.key !== undefined) this.#keys.add(one.key);
    }
    this.#waiting = left;
    return taken;
  }

  async #runTogether(commands: readonly Waiting[]): Promise<void> {
    this.#running += 1;
    const works = commands.map(({ work }) => work);
    const { outcomes, failed } = await runTogether(this.#db, works);
    this.#running -= 1;
    for (const [index, { key, outcome }] of commands.entries()) {
      if (key !== undefined) this.#keys.delete(key);
      if (key !== undefined && failed.has(index)) this.#aloneUntilMs.set(key, performance.now() + aloneForMs);
      outcome.resolve(outcomes[index]);
    }
    if (this.#waiting.length > 0) this.#startSoon();
  }
}

/** The outcomes of works, and which of them failed by themselves. */
interface Outcomes {
  readonly outcomes: readonly Outcome[];
  readonly failed: ReadonlySet<number>;
}

/** Never rejected. */
async function runTogether(db: Database, works: readonly Work<unknown>[]): Promise<Outcomes> {
  const failed = new Set<number>();
  let isCommitting = false;
  try {
    const outcomes = await db.transaction().execute(async (tx) => {
      // All have ended before the transaction does.
      const ended = await Promise.allSettled(works.map((work) => work(tx)));
      for (const [index, one] of ended.entries())
        if (one.status === 'rejected' && codeOf(one.reason) !== failedTransactionCode) failed.add(index);
      const answers = ended.map((one) => {
        if (one.status === 'rejected') throw one.reason;
        return { answer: one.value };
      });
      isCommitting = true;
      return answers;
    });
    return { outcomes, failed };
  } catch (error) {
    // A commit without an answer may have taken effect: as with one of a single command, nothing is run again.
    const isOwn = works.length === 1 && codeOf(error) !== lockTimeoutCode;
    return { outcomes: works.map(() => (isOwn || isCommitting ? { error } : undefined)), failed };
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}
