import type { Socket } from 'node:net';
import { parseExactJson } from '@corral/contract';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { databaseSilent } from './database-unavailable.ts';
import type { Tables } from './tables.ts';

/** The server's `statement_timeout`, and how long its answer may take to arrive after that, in milliseconds. */
const statementTimeoutMs = 30_000;
const answerGraceMs = 10_000;

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
    this.#internals.connection.stream.destroy(databaseSilent());
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

/** The hub's database, or a transaction on it. */
export type Database = Kysely<Tables> | Transaction<Tables>;

/** The address of a PostgreSQL server: a URL, or the socket and password of the embedded one. */
export type DatabaseAddress =
  | { readonly url: string }
  | { readonly host: string; readonly user: string; readonly password: string; readonly database: string };

/** The options of a pool of connections. */
interface PoolOptions {
  readonly maxConnections: number;
  /** How long the server may be silent before the connection is destroyed; by default 10 s longer than a statement may take. */
  readonly answerTimeoutMs?: number;
  /** `off` returns from a commit before its flush; only for rows that a later, flushed commit makes durable. */
  readonly synchronousCommit?: 'on' | 'off';
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onIdleError: (error: Error) => void;
}

const timestamptz = 1184;
const int8 = 20;
const jsonb = 3802;

/** Turns PostgreSQL's ISO output in UTC (`2026-11-20 18:25:00.123456+00`) into RFC 3339. */
function rfc3339(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11).replace(/\+00(:00)?$/, 'Z')}`;
}

function parserFor(oid: number, format?: 'text' | 'binary') {
  if (oid === timestamptz) return rfc3339;
  if (oid === int8) return Number;
  if (oid === jsonb) return parseExactJson;
  return pg.types.getTypeParser(oid, format as 'text');
}

/** How the hub reads the values of a row. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: parserFor as typeof pg.types.getTypeParser,
};

/** Opens a pool on the database; connections are made when they are first needed. */
export function connectDatabase(address: DatabaseAddress, options: PoolOptions): Kysely<Tables> {
  const pool = openPool(address, options, valueTypes);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  pools.set(db, pool);
  return db;
}

const pools = new WeakMap<object, pg.Pool>();

/**
 * Destroys all connections of the pool, so that waiting statements fail and later ones use new connections. For a server that is cut off: it may have gone without
 * closing them, and TCP is slow to try again after a long silence.
 */
export function breakConnections(db: Kysely<Tables>): void {
  const pool = pools.get(db);
  if (pool !== undefined) breakAll(pool);
}

/** A pool for a library that contains its own SQL. */
export interface SqlDatabase {
  /** Runs one statement with parameters or several without; returns rows as `pg` parses them, timestamps as `Date`. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** How many connections are open. */
  readonly connections: number;
  /** See `breakConnections`. */
  breakConnections(): void;
  /** Closes the connections. */
  close(): Promise<void>;
}

/** Opens a pool for a library that contains its own SQL. */
export function connectSql(address: DatabaseAddress, options: PoolOptions): SqlDatabase {
  const pool = openPool(address, options);
  return {
    executeSql: (text, values) => pool.query(text, values),
    get connections() {
      return pool.totalCount;
    },
    breakConnections: () => breakAll(pool),
    close: () => pool.end(),
  };
}

/**
 * Times in milliseconds, keepalives in seconds. A hub that is killed, unresponsive or disconnected must not keep locks for longer than its lease. So the server ends a
 * transaction after 10 s without a statement, and a connection after 10 s in which nobody takes its answers or the other side is gone.
 */
const settings = {
  timezone: 'UTC',
  datestyle: 'ISO',
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: 10_000,
  tcp_user_timeout: 10_000,
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 5,
};

/** A statement that waits for a lock ends when its hub has been killed. Servers on Windows have no such check, and refuse this statement. */
const watchClient = 'set client_connection_check_interval = 2000';

const clientsOf = new WeakMap<pg.Pool, Set<DatabaseClient>>();

function breakAll(pool: pg.Pool): void {
  for (const client of clientsOf.get(pool) ?? []) client.break();
}

function openPool(address: DatabaseAddress, options: PoolOptions, types?: pg.CustomTypesConfig): pg.Pool {
  const { url, ...parts } = 'url' in address ? address : { ...address, url: undefined };
  const pool = new pg.Pool({
    Client: DatabaseClient as unknown as typeof pg.Client,
    ...(url === undefined ? parts : { connectionString: url }),
    max: options.maxConnections,
    // Statements are sent behind those that wait for their answers, and one without an answer in time ends its connection: a machine that vanishes does not close its connections.
    pipeline: true,
    query_timeout: options.answerTimeoutMs ?? statementTimeoutMs + answerGraceMs,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: Object.entries({ ...settings, synchronous_commit: options.synchronousCommit ?? 'on' })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    ...(types === undefined ? {} : { types }),
  });
  const clients = new Set<DatabaseClient>();
  clientsOf.set(pool, clients);
  pool.on('error', options.onIdleError);
  pool.on('remove', (client) => void clients.delete(client as unknown as DatabaseClient));
  // A connection that breaks while in use rejects its query and also emits `error`, which without a listener would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    client.query(watchClient).catch(() => undefined);
    clients.add(client as unknown as DatabaseClient);
  });
  return pool;
}
