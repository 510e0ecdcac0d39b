import type { Socket } from 'node:net';
import pg from 'pg';

/** The server's `statement_timeout`, and how long its answer may take to arrive after that, in milliseconds. */
export const statementTimeoutMs = 30_000;
export const answerGraceMs = 10_000;

/** Lets the statements of a transaction take longer: run this text in it unchanged. */
export const longStatements = { text: "set local statement_timeout = '10min'", timeoutMs: 600_000 };

/** How many statements one connection keeps prepared; the server holds some 50 KB for each. */
const maxPrepared = 400;

/**
 * A comment for statements that are not prepared, so that the server plans them for each set of values: those that read the beginning of a list of unknown length, where a plan for any
 * values would sort the whole list. With 100,000 devices their first page takes a second instead of 4 ms otherwise.
 */
export const planEachTime = '/* plan each time */';

/** PostgreSQL's code for a prepared statement whose columns have changed since, among others. */
const featureNotSupported = '0A000';
/** PostgreSQL's code for a change in a transaction that may only read. */
const readOnlyTransaction = '25006';

/** The parts of the library's client that its types leave out. */
interface Internals {
  readonly connection: {
    readonly stream: Socket;
    parsedStatements: Record<string, string>;
    on(name: 'errorMessage', listener: (error: { readonly code?: string }) => void): void;
  };
  readonly connectionParameters: { query_timeout: number | false };
}

/**
 * A connection on which the server parses and plans a statement with parameters once, since the hub runs few statements very often: with 200 queries a second of people, planning is half of the
 * server's work. Above 400 statements all are deallocated. One that fails because its columns have changed is prepared anew at its next use.
 */
export class DatabaseClient extends pg.Client {
  readonly #names = new Map<string, string>();
  readonly #queryTimeoutMs: number | false;
  #count = 0;

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.#queryTimeoutMs = this.#internals.connectionParameters.query_timeout;
    // A server that became a standby accepts no changes: a new connection may reach the one that does.
    this.#internals.connection.on('errorMessage', ({ code }) => {
      if (code === readOnlyTransaction) this.break();
    });
  }

  /** Destroys the connection as one whose server does not answer. */
  break(): void {
    this.#internals.connection.stream.destroy(new Error('The database does not answer.'));
  }

  // The library has a dozen signatures: a text with values gets a name, everything else is passed on unchanged.
  override query(config: unknown, values?: unknown, callback?: unknown): never {
    const run = super.query.bind(this) as (...args: unknown[]) => never;
    if (config === longStatements.text) this.#setTimeout(longStatements.timeoutMs + answerGraceMs);
    else if (config === 'commit' || config === 'rollback') this.#setTimeout(this.#queryTimeoutMs);
    const isPrepared = typeof config === 'string' && Array.isArray(values) && values.length > 0;
    if (!isPrepared || callback !== undefined || config.includes(planEachTime))
      return run(config, values, callback);
    const answer = run({ name: this.#nameOf(config), text: config, values }) as Promise<unknown>;
    return answer.catch((error: unknown) => {
      if ((error as pg.DatabaseError | undefined)?.code === featureNotSupported) this.#names.delete(config);
      throw error;
    }) as never;
  }

  #nameOf(text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= maxPrepared) {
      this.#names.clear();
      this.#internals.connection.parsedStatements = {};
      // In a failed transaction the server ignores this, so a name is never given again.
      super.query('deallocate all').catch(() => undefined);
    }
    const name = `s${(this.#count += 1)}`;
    this.#names.set(text, name);
    return name;
  }

  #setTimeout(timeoutMs: number | false): void {
    this.#internals.connectionParameters.query_timeout = timeoutMs;
  }

  get #internals(): Internals {
    return this as unknown as Internals;
  }
}
