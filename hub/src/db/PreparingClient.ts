import pg from 'pg';

/** How many statements one connection keeps prepared; the server holds some 50 KB for each. */
const maxPrepared = 400;

/**
 * A comment for statements that the server must plan for each set of values: those that read the beginning of a list of unknown length.
 * A generic plan would sort the whole list.
 */
export const planEachTime = '/* plan each time */';

/** PostgreSQL's code for a prepared statement whose columns have changed since, among others. */
const featureNotSupported = '0A000';

type Callback = (error: Error | null | undefined, result: unknown) => void;

/** Settles with a query that calls back. An error gets the stack of whoever waits for it. */
function settled(query: (done: Callback) => void): Promise<unknown> {
  const result = new Promise((resolve, reject) => {
    query((error, rows) => (error ? reject(error) : resolve(rows)));
  });
  return result.catch((error: unknown) => {
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  });
}

/**
 * A connection on which the server parses and plans a statement with parameters once, since the hub runs few statements very often. Above
 * 400 statements the least recently used one is deallocated. One that fails because its columns have changed is prepared anew at its next use.
 */
export class PreparingClient extends pg.Client {
  /** Names by text, the least recently used first. */
  readonly #names = new Map<string, string>();
  #count = 0;

  // The library has a dozen signatures: a text with values gets a name, everything else is passed on unchanged.
  override query(config: unknown, values?: unknown, callback?: unknown): never {
    const run = super.query.bind(this) as (...args: unknown[]) => never;
    if (typeof config !== 'string' || !Array.isArray(values) || values.length === 0)
      return run(config, values, callback);
    const known = this.#names.get(config);
    if (known === undefined && config.includes(planEachTime)) return run(config, values, callback);
    const name = known ?? `s${(this.#count += 1)}`;
    this.#names.delete(config);
    const oldest = known === undefined && this.#names.size >= maxPrepared ? this.#oldest() : undefined;
    this.#names.set(config, name);
    if (oldest !== undefined) this.#drop(oldest);
    const replanning =
      (done: Callback): Callback =>
      (error, result) => {
        const isOutdated = (error as pg.DatabaseError | null | undefined)?.code === featureNotSupported;
        if (isOutdated && this.#names.get(config) === name) this.#drop(config);
        done(error, result);
      };
    // The library would copy an object with these properties at each call, descriptor by descriptor.
    const send = (done: Callback): void =>
      void run(Object.assign(new pg.Query(config, values, replanning(done)), { name }));
    return (callback === undefined ? settled(send) : send(callback as Callback)) as never;
  }

  #oldest(): string | undefined {
    for (const text of this.#names.keys()) return text;
    return undefined;
  }

  /**
   * Deallocates a statement. What is sent next follows at once, since a COMMIT may be sent right behind it. In a failed transaction the server ignores the
   * deallocation, so a name is never reused for another text.
   */
  #drop(text: string): void {
    const name = this.#names.get(text) ?? '';
    this.#names.delete(text);
    delete this.#parsedStatements[name];
    super.query(`deallocate ${name}`).catch(() => undefined);
  }

  /** The library's own record of prepared statements, which it never evicts. */
  get #parsedStatements(): Record<string, string> {
    return (this as unknown as { connection: { parsedStatements: Record<string, string> } }).connection
      .parsedStatements;
  }
}
