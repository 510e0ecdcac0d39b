import { ActionError } from '@corral/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/db/connect.ts';
import type { Tables } from '../platform/db/tables.ts';
import { callerKey, type CallerKeys, placesOf } from '../limits/limit.ts';
import { limits } from '../limits/table.ts';
import type { Caller } from './executor.ts';

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
  const places = placesOf(limits.searches);
  const bounds = sql.raw(`set local statement_timeout = ${timeoutMs}; set local work_mem = '${memoryMib}MB'`);
  const inTransaction = <Answer>(query: (tx: Database) => Promise<Answer>): Promise<Answer> =>
    db.isTransaction
      ? query(db)
      : db.transaction().execute(async (tx) => {
          await bounds.execute(tx);
          return query(tx);
        });
  return {
    async run(caller, query) {
      try {
        return await places.run(keysOf(caller), () => inTransaction(query));
      } catch (error) {
        throw (error as { code?: unknown }).code === cancelledCode ? tooSlow(error) : error;
      }
    },
  };
}

/** The devices of a project search as one caller, and all devices leave room for people. */
function keysOf(caller: Caller): CallerKeys {
  const { projectId = callerKey(caller) } = caller.origin;
  return caller.actor.actor === 'Device'
    ? { caller: projectId, group: 'devices' }
    : { caller: callerKey(caller) };
}

function tooSlow(cause: unknown): ActionError {
  const message = 'This search takes too long. Narrow it, such as by a time or an exact value.';
  return new ActionError('Invalid', message, { cause });
}
