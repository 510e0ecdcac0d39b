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
  '08006',
  '08003',
  '53300',
  '25P03',
]);
const connectionWords =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|The database does not answer/;

/** Whether an error says that the database is unreachable, restarting or out of connections. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    (typeof code === 'string' && connectionCodes.has(code)) ||
    (error instanceof Error && connectionWords.test(error.message))
  );
}
