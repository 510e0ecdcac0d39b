import { pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** The hub's log. Fields beside the message are written only when they are among `loggedFields`. */
export type Log = Logger;

/** How the log is written. */
export interface LogOptions {
  readonly level: string;
  readonly format: 'pretty' | 'json';
  /** Where to; standard output unless told. */
  readonly destination?: NodeJS.WritableStream;
}

/** The fields that may appear in the log; whatever is not named here is left out, so that no secret slips in. */
const loggedFields: ReadonlySet<string> = new Set([
  'action',
  'actionId',
  'actor',
  'address',
  'attempt',
  'cause',
  'cause',
  'certificateId',
  'code',
  'connectionId',
  'connections',
  'count',
  'dataDir',
  'delayMs',
  'deviceId',
  'durationMs',
  'err',
  'event',
  'folder',
  'host',
  'ip',
  'kind',
  'level',
  'method',
  'nodeId',
  'nodeName',
  'pid',
  'port',
  'projectId',
  'reason',
  'requestId',
  'restarts',
  'route',
  'sessionId',
  'signal',
  'sizeBytes',
  'status',
  'tokenId',
  'topic',
  'url',
  'userId',
  'version',
  'waiting',
]);

/** Opens the log. */
export function createLog(options: LogOptions): Log {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }), log: allowedFields },
    },
    destinationOf(options),
  );
}

function destinationOf({ format, destination = process.stdout }: LogOptions): DestinationStream {
  if (format === 'json') return destination as DestinationStream;
  return pretty({
    destination,
    colorize: 'isTTY' in destination && destination.isTTY === true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
    errorLikeObjectKeys: [],
    singleLine: true,
  });
}

function allowedFields(fields: object): Record<string, unknown> {
  const allowed = Object.entries(fields).filter(([name]) => loggedFields.has(name));
  return Object.fromEntries(allowed.map(([name, value]) => [name, shown(value)]));
}

function shown(value: unknown): unknown {
  if (value instanceof Error) return describeError(value);
  return typeof value === 'object' && value !== null ? scalarsOf(value) : value;
}

/** An actor or a like object shows its scalar fields alone, by the same allowlist and its kind. */
function scalarsOf(value: object): Record<string, unknown> {
  const scalars = Object.entries(value).filter(
    ([name, field]) => loggedFields.has(name) && (typeof field !== 'object' || field === null),
  );
  return Object.fromEntries(scalars);
}

/** What the log shows of an error: never the fields that libraries attach, which quote statements, values and requests. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack: string;
  readonly cause?: LoggedError;
}

const secret = /\b(?:u_sk|u_session_sk|deployment|d_sk)_[1-9A-HJ-NP-Za-km-z]{22,}/g;
const credentials = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s@/]+@/gi;

/** Takes the hub's own secrets and the passwords of URLs out of a text. */
export function withoutSecrets(text: string): string {
  return text
    .replace(secret, (found) => `${found.slice(0, found.lastIndexOf('_') + 1)}…`)
    .replace(credentials, '$1:…@');
}

/** Describes an error and its causes for the log. */
export function describeError(error: Error, depth = 0): LoggedError {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.name,
    message: withoutSecrets(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    stack: withoutSecrets(error.stack ?? ''),
    ...(cause instanceof Error && depth < 5 ? { cause: describeError(cause, depth + 1) } : {}),
  };
}
