import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import type { ReadTurns } from './ReadTurns.ts';
import type { SharedConnections } from './SharedConnections.ts';

/** A comment for the last statement of a transaction: COMMIT is sent with it. If the statement fails, the server rolls back instead. */
export const thenCommit = '/* then commit */';

/** What a connection is made from. */
export interface ConnectionSources<Own extends DatabaseConnection> {
  /** Takes a connection of its own from the pool. */
  readonly acquire: () => Promise<Own>;
  readonly shared: SharedConnections | undefined;
  /** Limits how many reads outside of transactions have a connection of their own. */
  readonly readTurns: ReadTurns | undefined;
}

/**
 * The connection of a transaction, or of a statement outside of one. It takes a connection from the pool when it first needs one. A read outside of a transaction takes
 * none where connections are shared. BEGIN is sent with the first statement of a transaction, and COMMIT with the last one if that statement asks for it.
 */
export class PipelinedConnection<Own extends DatabaseConnection> implements DatabaseConnection {
  readonly #sources: ConnectionSources<Own>;
  #own: Own | undefined;
  #endTurn: (() => void) | undefined;
  #isInTransaction = false;
  /** The BEGIN that is sent with the next statement. */
  #waitingBegin: string | undefined;
  #begun: Promise<unknown> | undefined;
  #committed: Promise<QueryResult<unknown>> | undefined;
  /** Set with the first savepoint: what is last in a part of the transaction is not last in all of it. */
  hasSavepoint = false;

  constructor(sources: ConnectionSources<Own>) {
    this.#sources = sources;
  }

  /** The connection from the pool, if there was a need for one. */
  get own(): Own | undefined {
    return this.#own;
  }

  /** Ends the turn of a read, once its connection is back in the pool. */
  endTurn(): void {
    this.#endTurn?.();
    this.#endTurn = undefined;
  }

  /** Begins a transaction with its first statement. */
  async begin(statement: string): Promise<void> {
    this.#own ??= await this.#sources.acquire();
    this.#isInTransaction = true;
    this.#waitingBegin = statement;
  }

  /** Whether BEGIN was sent; resolves when the server has answered. BEGIN fails only with its connection. */
  async hasBegun(): Promise<boolean> {
    await this.#begun;
    return this.#waitingBegin === undefined;
  }

  /** The answer to a COMMIT that was sent with the last statement; undefined if none was. */
  get committed(): Promise<QueryResult<unknown>> | undefined {
    return this.#committed;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const shared = this.#isInTransaction ? undefined : this.#sources.shared?.execute(query);
    if (shared !== undefined) return shared as Promise<QueryResult<Row>>;
    const own = (this.#own ??= await this.#acquireFor(query));
    if (this.#waitingBegin !== undefined) this.#begun = send(own, this.#waitingBegin);
    this.#waitingBegin = undefined;
    const result = own.executeQuery<Row>(query);
    if (this.#isInTransaction && !this.hasSavepoint && query.sql.includes(thenCommit))
      this.#committed = send(own, 'commit');
    return result;
  }

  async #acquireFor({ sql }: CompiledQuery): Promise<Own> {
    const { acquire, readTurns } = this.#sources;
    if (!this.#isInTransaction && readTurns !== undefined) this.#endTurn = await readTurns.begin(sql);
    return acquire();
  }

  streamQuery(): never {
    throw new Error('Results are not streamed.');
  }
}

/** What fails here fails for whoever waits for it, who may not wait yet. */
function send(connection: DatabaseConnection, statement: string): Promise<QueryResult<unknown>> {
  const answer = connection.executeQuery(CompiledQuery.raw(statement));
  answer.catch(() => undefined);
  return answer;
}
