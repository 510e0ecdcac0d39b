import { AbortedTransactionError, PostgresDriver, type Driver, type TransactionSettings } from 'kysely';
import { PipelinedConnection } from './PipelinedConnection.ts';
import type { ReadTurns } from './ReadTurns.ts';
import type { SharedConnections } from './SharedConnections.ts';

/** A connection of the library's own driver. */
type OwnConnection = Parameters<PostgresDriver['releaseConnection']>[0];
type Connection = PipelinedConnection<OwnConnection>;
type Savepoint = Parameters<PostgresDriver['savepoint']>;
type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

/** How connections of a driver are used. */
export interface Pipelining {
  /** The statement that begins a transaction without settings of its own. */
  readonly begin?: string | undefined;
  /** For reads outside of transactions; by default each has a connection of its own. */
  readonly shared?: SharedConnections | undefined;
  /** For reads outside of transactions that have a connection of their own; by default any number may. */
  readonly readTurns?: ReadTurns | undefined;
}

/**
 * Saves round trips to the server. BEGIN is sent with the first statement of a transaction, and COMMIT with the last one if that statement asks for it. Nothing is sent
 * for a transaction without statements, such as that of a call that is refused at once. Reads outside of transactions share connections. The connections must be in pipeline mode.
 */
export class PipeliningDriver implements Driver {
  readonly #driver: PostgresDriver;
  readonly #begin: string;
  readonly #shared: SharedConnections | undefined;
  readonly #readTurns: ReadTurns | undefined;

  constructor(
    config: ConstructorParameters<typeof PostgresDriver>[0],
    { begin = 'begin', shared, readTurns }: Pipelining = {},
  ) {
    this.#driver = new PostgresDriver(config);
    this.#begin = begin;
    this.#shared = shared;
    this.#readTurns = readTurns;
  }

  init(): Promise<void> {
    return this.#driver.init();
  }

  async acquireConnection(): Promise<Connection> {
    const acquire = () => this.#driver.acquireConnection() as Promise<OwnConnection>;
    return new PipelinedConnection({ acquire, shared: this.#shared, readTurns: this.#readTurns });
  }

  beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    const isDefault = isolationLevel === undefined && accessMode === undefined;
    return connection.begin(isDefault ? this.#begin : `start transaction${level} ${accessMode ?? ''}`);
  }

  async commitTransaction(connection: Connection): Promise<void> {
    if (!(await connection.hasBegun())) return;
    const { committed } = connection;
    if (committed === undefined) return this.#driver.commitTransaction(connection);
    const [row] = (await committed).rows as { command: string }[];
    if (row?.command === 'ROLLBACK') throw new AbortedTransactionError();
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    const { own } = connection;
    if (own === undefined || !(await connection.hasBegun().catch(() => true))) return;
    // After a COMMIT the server only answers with a warning.
    return this.#driver.rollbackTransaction(own);
  }

  savepoint(...options: [connection: Connection, ...rest: Tail<Savepoint>]): Promise<void> {
    options[0].hasSavepoint = true;
    return this.#driver.savepoint(...options);
  }

  rollbackToSavepoint(...options: Savepoint): Promise<void> {
    return this.#driver.rollbackToSavepoint(...options);
  }

  releaseSavepoint(...options: Savepoint): Promise<void> {
    return this.#driver.releaseSavepoint(...options);
  }

  async releaseConnection(connection: Connection): Promise<void> {
    const { own } = connection;
    if (own !== undefined) await this.#driver.releaseConnection(own);
    connection.endTurn();
  }

  destroy(): Promise<void> {
    this.#shared?.close();
    return this.#driver.destroy();
  }
}
