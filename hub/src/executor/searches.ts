import { ActionError } from '@corral/contract';
import type { Kysely } from 'kysely';
import {
  ResponseMemoryTaken,
  callerKeys,
  reserveResponse,
  withoutWaiting,
} from '../concurrency/response-memory.ts';
import { CallerSemaphore } from '../concurrency/caller-semaphore.ts';
import { withStatementLimits, type Database } from '../db/connect.ts';
import type { Tables } from '../db/tables.ts';
import type { Caller } from './executor.ts';

/**
 * How many searches run at a time: of all callers, of one or of the devices of one project, and of all devices, which leave room for people. Each running one holds one of the hub's
 * connections to the database.
 */
const searchesAtOnce = 6;
const searchesOfCaller = 2;
const searchesOfDevices = 3;
/** How many more wait: of all callers, of one, and of all devices. */
const searchesWaiting = 128;
const waitingOfCaller = 64;
const waitingOfDevices = 32;
/** How long one statement of a search may take, in milliseconds. The slowest filter of 100,000 devices takes a third of a second. */
const searchTimeoutMs = 5_000;
/** PostgreSQL hashes a set of ids only if it fits into twice this memory; a larger one is read again for each row. The ids of 175,000 devices take 8 MiB, and those of a million fit. */
const memoryMib = 32;
/** PostgreSQL's code for a statement that was cancelled, also by its timeout. */
const cancelledCode = '57014';

/** Runs queries with a filter or a search text, which may read all rows of a table. */
export interface Searches {
  /** Runs one when its turn comes. Rejects with Invalid when it takes too long, and with Throttled when too many wait. */
  run<Answer>(caller: Caller, query: (db: Database) => Promise<Answer>): Promise<Answer>;
}

/** Whether the input of a query has a filter or a search text. */
export function isSearch(input: unknown): boolean {
  const { filter, search } = input as { readonly filter?: unknown; readonly search?: unknown };
  return isText(filter) || isText(search);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** Limits how many connections to the database searches use and how long they take, so that many searches delay only other searches. */
export function createSearches(db: Kysely<Tables>, timeoutMs = searchTimeoutMs): Searches {
  const semaphore = new CallerSemaphore({
    inAll: searchesAtOnce,
    ofCaller: searchesOfCaller,
    ofProject: searchesOfCaller,
    ofDevices: searchesOfDevices,
    waiting: searchesWaiting,
    waitingOfCaller,
    waitingOfDevices,
    full: tooManySearches,
  });
  const timedDb = withStatementLimits(db, { timeoutMs, memoryMib });
  const inTransaction = <Answer>(query: (tx: Database) => Promise<Answer>): Promise<Answer> =>
    timedDb.isTransaction ? query(timedDb) : timedDb.transaction().execute(query);
  const search = <Answer>(caller: Caller, query: (db: Database) => Promise<Answer>): Promise<Answer> =>
    semaphore.run(callerKeys(caller), () => withoutWaiting(() => inTransaction(query)));
  return {
    async run(caller, query) {
      try {
        return await search(caller, query).catch(async (error: unknown) => {
          if (!(error instanceof ResponseMemoryTaken)) throw error;
          // The wait holds no place among the searches and no transaction.
          await reserveResponse();
          return search(caller, query);
        });
      } catch (error) {
        throw (error as { code?: unknown }).code === cancelledCode ? tooSlow(error) : error;
      }
    },
  };
}

function tooManySearches(): ActionError {
  return new ActionError('Throttled', 'Too many searches are running. Try again in a moment.', {
    retryAfterSecs: 5,
  });
}

function tooSlow(cause: unknown): ActionError {
  const message = 'This search takes too long. Narrow it, such as by a time or an exact value.';
  return new ActionError('Invalid', message, { cause });
}
