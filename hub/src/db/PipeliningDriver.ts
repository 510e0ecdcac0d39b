import { CompiledQuery, PostgresDriver, type DatabaseConnection, type TransactionSettings } from 'kysely';

/**
 * Sends BEGIN together with the first statement of a transaction, which saves a round trip to the server. The connections must be in pipeline mode. BEGIN
 * fails only with its connection, and then the statements behind it fail, too.
 */
export class PipeliningDriver extends PostgresDriver {
  readonly #begin: string;
  readonly #begun = new WeakMap<DatabaseConnection, Promise<unknown>>();

  /** `begin` is the statement that begins a transaction without settings of its own. */
  constructor(config: ConstructorParameters<typeof PostgresDriver>[0], begin = 'begin') {
    super(config);
    this.#begin = begin;
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    if (settings.isolationLevel !== undefined || settings.accessMode !== undefined)
      return super.beginTransaction(connection, settings);
    const begun = connection.executeQuery(CompiledQuery.raw(this.#begin));
    begun.catch(() => undefined);
    this.#begun.set(connection, begun);
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#begun.get(connection);
    return super.commitTransaction(connection);
  }
}
