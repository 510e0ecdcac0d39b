/** The one sentence that tells the operator why the hub's own PostgreSQL cannot run. */
export class PostgresStartError extends Error {
  override readonly name = 'PostgresStartError';
}
