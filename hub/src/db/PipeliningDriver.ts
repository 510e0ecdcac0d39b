import { CompiledQuery, PostgresDriver, type DatabaseConnection, type TransactionSettings } from 'kysely';

/**
 * Sends BEGIN together with the first statement of a transaction, which saves a round trip to the server, and nothing for a transaction without statements, such as
 * that of a call that is refused at once. The connections must be in pipeline mode. BEGIN fails only with its connection, and then the statements behind it fail, too.
 */
export class PipeliningDriver extends PostgresDriver {
  readonly #begin: string;
  /** What sends the BEGIN of a connection; absent while it is in no transaction, or once it is sent. */
  readonly #waitingBegins = new WeakMap<DatabaseConnection, () => Promise<unknown>>();
  readonly #begun = new WeakMap<DatabaseConnection, Promise<unknown>>();
  /** Connections whose `executeQuery` sends a BEGIN that waits. */
  readonly #patched = new WeakSet<DatabaseConnection>();

  /** `begin` is the statement that begins a transaction without settings of its own. */
  constructor(config: ConstructorParameters<typeof PostgresDriver>[0], begin = 'begin') {
    super(config);
    this.#begin = begin;
  }

  override async acquireConnection(
    ...options: Parameters<PostgresDriver['acquireConnection']>
  ): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection(...options);
    if (!this.#patched.has(connection)) this.#sendBeginWithFirstStatement(connection);
    return connection;
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    if (settings.isolationLevel !== undefined || settings.accessMode !== undefined)
      return super.beginTransaction(connection, settings);
    this.#waitingBegins.set(connection, () => connection.executeQuery(CompiledQuery.raw(this.#begin)));
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#waitingBegins.delete(connection)) return;
    await this.#begun.get(connection);
    return super.commitTransaction(connection);
  }

  override async rollbackTransaction(
    connection: Parameters<PostgresDriver['rollbackTransaction']>[0],
  ): Promise<void> {
    if (this.#waitingBegins.delete(connection)) return;
    return super.rollbackTransaction(connection);
  }

  #sendBeginWithFirstStatement(connection: DatabaseConnection): void {
    this.#patched.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (query, ...rest) => {
      const begin = this.#waitingBegins.get(connection);
      if (begin !== undefined) {
        this.#waitingBegins.delete(connection);
        const begun = begin();
        begun.catch(() => undefined);
        this.#begun.set(connection, begun);
      }
      return execute(query, ...rest);
    };
  }
}
