import { ActionError, actionNamed, actions } from '@corral/contract';
import { type Kysely, sql } from 'kysely';
import type { FairSemaphore } from '../limits/fair-semaphore.ts';
import { callerKey, callerKeys, type CallerKeys, placesOf, refusalBy } from '../limits/limit.ts';
import { limits } from '../limits/table.ts';
import { untaken } from '../limits/work.ts';
import type { Database } from '../platform/db/connect.ts';
import type { Tables } from '../platform/db/tables.ts';
import type { Caller } from './executor.ts';

/** How long one statement of a search may take, in milliseconds. The slowest filter of 100,000 devices takes a third of a second. */
const searchTimeoutMs = 5_000;
/** PostgreSQL hashes a set of ids only if it fits into twice this memory; a larger one is read again for each row. The ids of 175,000 devices take 8 MiB, and those of a million fit. */
const memoryMib = 32;
/** PostgreSQL's code for a statement that was cancelled, also by its timeout. */
const cancelledCode = '57014';

/** Whether the input of a query has filters, a search text, what is done to many devices, or what is looked for among them. */
export function isSearch(input: unknown): boolean {
  const { filter, filters, search, selector, change, condition } = input as Readonly<
    Record<'filter' | 'filters' | 'search' | 'selector' | 'change' | 'condition', unknown>
  >;
  const isOfDevices = [selector, change, condition].some((of) => typeof of === 'object' && of !== null);
  return isOfDevices || isText(filter) || isText(search) || (Array.isArray(filters) && filters.some(isText));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/**
 * The turns of calls: how many commands, queries and searches run of a caller, of all users and of all devices, so that nobody's slow ones take all connections to the database. Calls of the hub itself and of
 * those without an account have their turn at once. All throw an `ActionError` of kind Throttled when too many wait.
 */
export class Turns {
  readonly #db: Kysely<Tables>;
  readonly #searchTimeoutMs: number;
  readonly #commandsOfDevices = placesOf(limits.commandsOfDevices);
  readonly #commandsOfUsers = placesOf(limits.commandsOfUsers);
  readonly #queriesOfDevices = placesOf(limits.queriesOfDevices);
  readonly #queriesOfUsers = placesOf(limits.queriesOfUsers);
  readonly #searches = placesOf(limits.searches);

  constructor(db: Kysely<Tables>, timeoutMs = searchTimeoutMs) {
    this.#db = db;
    this.#searchTimeoutMs = timeoutMs;
  }

  /** Runs a command of a device, or of a user with all sessions and tokens. */
  command<Answer>(caller: Caller, command: () => Promise<Answer>): Promise<Answer> {
    return inTurn(caller, this.#commandsOfDevices, this.#commandsOfUsers, command);
  }

  /** Runs a query without a filter. */
  query<Answer>(caller: Caller, query: () => Promise<Answer>): Promise<Answer> {
    if (caller.isOfHub === true) return query();
    return inTurn(caller, this.#queriesOfDevices, this.#queriesOfUsers, query);
  }

  /** Runs a query with a filter or a search text, which may read all rows of a table. Rejected with Invalid when it takes too long. */
  async search<Answer>(caller: Caller, query: (db: Database) => Promise<Answer>): Promise<Answer> {
    try {
      return await this.#searches.run(searchKeys(caller), () => this.#inBounds(query));
    } catch (error) {
      throw (error as { code?: unknown }).code === cancelledCode ? tooSlow(error) : error;
    }
  }

  #inBounds<Answer>(query: (db: Database) => Promise<Answer>): Promise<Answer> {
    if (this.#db.isTransaction) return query(this.#db);
    const bounds = `set local statement_timeout = ${this.#searchTimeoutMs}; set local work_mem = '${memoryMib}MB'`;
    return this.#db.transaction().execute(async (tx) => {
      await sql.raw(bounds).execute(tx);
      return query(tx);
    });
  }
}

function inTurn<Answer>(
  caller: Caller,
  ofDevices: FairSemaphore,
  ofUsers: FairSemaphore,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { actor } = caller.actor;
  if (actor === 'Device') return ofDevices.run(callerKeys(caller), work);
  return actor === 'User' || actor === 'UserToken' ? ofUsers.run(callerKeys(caller), work) : work();
}

/** The devices of a project search as one caller, and all devices leave room for people. */
function searchKeys(caller: Caller): CallerKeys {
  const { projectId = callerKey(caller) } = caller.origin;
  return caller.actor.actor === 'Device'
    ? { caller: projectId, group: 'devices' }
    : { caller: callerKey(caller) };
}

function tooSlow(cause: unknown): ActionError {
  const message = 'This search takes too long. Narrow it, such as by a time or an exact value.';
  return new ActionError('Invalid', message, { cause });
}

const { smallBytes, bytesOfCaller, bytesInAll, maxSendMs } = untaken;

/** The answer of one call. */
export interface Answer {
  /**
   * Notes that the answer has this size and is being sent. `cut` aborts the sending; it is called when others wait and the sending takes more than 30 s. Throws an `ActionError` of kind
   * NotReady when all memory, or that of the caller, is taken.
   */
  sending(sizeBytes: number, cut: () => void): void;
  /** To be called when it is sent or nobody waits for it any more; may be called again. */
  end(): void;
}

interface Sending {
  /** Of a caller, or of the group of one. */
  readonly party: string;
  readonly sizeBytes: number;
  readonly startedMs: number;
  readonly cut: () => void;
}

/** Bounds the memory of large answers that are made but not yet taken: see `limits.answers`. */
export class UntakenAnswers {
  readonly #nowMs: () => number;
  readonly #places = placesOf(limits.answers);
  readonly #sending = new Set<Sending>();

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Begins a call by its name; a query waits for its place. Rejected with an `ActionError` of kind NotReady if that takes too long. */
  async begin(keys: CallerKeys, name: string): Promise<Answer> {
    const action = actionNamed(name);
    let hasPlace = action !== undefined && actions[action].kind === 'query';
    if (hasPlace && !this.#places.tryAcquire(keys)) {
      this.#cutSlow();
      await this.#places.acquire(keys);
    }
    let sent: Sending | undefined;
    const end = (): void => {
      if (sent !== undefined) this.#sending.delete(sent);
      if (hasPlace) this.#places.release(keys);
      hasPlace = false;
    };
    return {
      sending: (sizeBytes, cut) => {
        if (sizeBytes <= smallBytes) return end();
        sent = { party: keys.group ?? keys.caller, sizeBytes, startedMs: this.#nowMs(), cut };
        this.#mustFit(sent);
        this.#sending.add(sent);
      },
      end,
    };
  }

  #mustFit(answer: Sending): void {
    if (this.#fits(answer)) return;
    this.#cutSlow();
    if (!this.#fits(answer)) throw refusalBy(limits.answers);
  }

  #fits({ party, sizeBytes }: Sending): boolean {
    let [ofParty, inAll] = [sizeBytes, sizeBytes];
    for (const one of this.#sending) {
      inAll += one.sizeBytes;
      if (one.party === party) ofParty += one.sizeBytes;
    }
    return ofParty <= bytesOfCaller && inAll <= bytesInAll;
  }

  #cutSlow(): void {
    const since = this.#nowMs() - maxSendMs;
    for (const one of this.#sending) {
      if (one.startedMs > since) continue;
      this.#sending.delete(one);
      one.cut();
    }
  }
}
