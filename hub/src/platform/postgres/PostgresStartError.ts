/** The embedded PostgreSQL cannot run. The message is one sentence for the operator. */
export class PostgresStartError extends Error {
  override readonly name = 'PostgresStartError';
}
