const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  // The server became a standby.
  '25006',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '53300',
  '25P03',
]);
/** PostgreSQL's codes for a statement that was cancelled, also by its timeout, and for the end of a lock timeout. */
const stalledCodes = new Set(['57014', '55P03']);
/** The library `pg` gives these errors of its own no code. */
const connectionWords =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout/;

/** The error for a server that does not answer, with PostgreSQL's code for a failed connection. */
export const databaseSilent = (): Error =>
  Object.assign(new Error('The database does not answer.'), { code: '08006' });

/** Whether an error says that the database is unreachable, restarting or out of connections. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return (
    connectionCodes.has(codeOf(error)) || (error instanceof Error && connectionWords.test(error.message))
  );
}

/** Whether an error says that a statement ended because it took too long, such as on a disk that stands still; other statements may go on. */
export function isStatementStalled(error: unknown): boolean {
  return stalledCodes.has(codeOf(error));
}

/** The code of an error of PostgreSQL or of the system; empty without one. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
