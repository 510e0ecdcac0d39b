import type { CompiledQuery, QueryResult } from 'kysely';
import type pg from 'pg';
import { planEachTime } from './PreparingClient.ts';

/** A connection takes no more statements while so many wait for an answer. */
const mostWaiting = 32;
/** A connection whose server process has not answered for so many milliseconds takes no more statements until it does. */
const stuckMs = 50;
/** A statement that took so many milliseconds gets a connection of its own: the first time for a second, since the server or the hub may only have stalled, and when that happens again within a minute, for a minute. */
const slowMs = 100;
const firstSlowForMs = 1_000;
const slowForMs = 60_000;
/** The hub has a few hundred slow statements at most; when there are more, all are forgotten. */
const mostSlow = 400;

interface SharedConnection {
  readonly client: pg.PoolClient;
  waiting: number;
  /** When the server answered last, or was asked while nothing waited. */
  heardAtMs: number;
}

/** Only reads that wait for nobody, and whose plan is made once, can be behind each other without one holding up the other for long. */
function isRead(text: string): boolean {
  return (
    /^\s*select\s/i.test(text) &&
    !/\sfor (no key |key )?(update|share)|advisory/i.test(text) &&
    !text.includes(planEachTime)
  );
}

/**
 * Connections that many statements use at the same time. A statement is sent at once, without waiting for the answers to earlier ones. So a server process wakes once for
 * several statements, and the hub once for several answers; for short statements, waking is much of the cost. Only for reads outside of transactions.
 */
export class SharedConnections {
  readonly #pool: pg.Pool;
  readonly #count: number;
  readonly #connections = new Set<SharedConnection>();
  /** From when the texts of slow statements may share a connection again, on the clock of `performance`. */
  readonly #slowUntilMs = new Map<string, number>();
  #opening = 0;
  #isClosed = false;

  /** Takes up to `count` of the pool's connections when they are first needed, and keeps them until `close`. */
  constructor(pool: pg.Pool, count: number) {
    this.#pool = pool;
    this.#count = count;
  }

  /** Sends a statement; undefined for one that needs a connection of its own. */
  execute(query: CompiledQuery): Promise<QueryResult<unknown>> | undefined {
    const nowMs = performance.now();
    if (this.#isClosed || query.parameters.length === 0 || !this.#mayShare(query.sql, nowMs))
      return undefined;
    const connection = this.#leastBusy(nowMs);
    return connection && this.#run(connection, query, nowMs);
  }

  /** Gives the connections back to the pool, those that are in use as soon as they are not. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#connections) if (connection.waiting === 0) this.#release(connection);
  }

  #mayShare(text: string, nowMs: number): boolean {
    return isRead(text) && (this.#slowUntilMs.get(text) ?? 0) <= nowMs;
  }

  #noteSlow(text: string, nowMs: number): void {
    const knownUntilMs = this.#slowUntilMs.get(text) ?? -Infinity;
    // It was sent before it was known: on another connection in the same stall, for instance.
    if (nowMs < knownUntilMs) return;
    if (this.#slowUntilMs.size >= mostSlow) this.#slowUntilMs.clear();
    const isAgain = nowMs - knownUntilMs < slowForMs;
    this.#slowUntilMs.set(text, nowMs + (isAgain ? slowForMs : firstSlowForMs));
  }

  #leastBusy(nowMs: number): SharedConnection | undefined {
    if (this.#connections.size + this.#opening < this.#count) void this.#open();
    let leastBusy: SharedConnection | undefined;
    for (const connection of this.#connections) {
      const { waiting, heardAtMs } = connection;
      if (waiting >= mostWaiting || (waiting > 0 && nowMs - heardAtMs > stuckMs)) continue;
      if (leastBusy === undefined || waiting < leastBusy.waiting) leastBusy = connection;
    }
    return leastBusy;
  }

  async #run(
    connection: SharedConnection,
    { sql, parameters }: CompiledQuery,
    sentAtMs: number,
  ): Promise<QueryResult<unknown>> {
    if (connection.waiting === 0) connection.heardAtMs = sentAtMs;
    connection.waiting += 1;
    try {
      return { rows: (await connection.client.query(sql, parameters as unknown[])).rows };
    } finally {
      const nowMs = performance.now();
      if (nowMs - Math.max(sentAtMs, connection.heardAtMs) > slowMs) this.#noteSlow(sql, nowMs);
      connection.heardAtMs = nowMs;
      connection.waiting -= 1;
      if (this.#isClosed && connection.waiting === 0) this.#release(connection);
    }
  }

  /** Nobody waits for this: until it is open, statements have connections of their own. */
  async #open(): Promise<void> {
    this.#opening += 1;
    try {
      const client = await this.#pool.connect();
      const connection: SharedConnection = { client, waiting: 0, heardAtMs: 0 };
      this.#connections.add(connection);
      client.once('error', () => this.#release(connection, true));
      client.once('end', () => this.#release(connection, true));
      if (this.#isClosed) this.#release(connection);
    } catch {
      // The statement that waits for a connection of its own meets the same error.
    } finally {
      this.#opening -= 1;
    }
  }

  #release(connection: SharedConnection, isBroken = false): void {
    if (this.#connections.delete(connection)) connection.client.release(isBroken);
  }
}
