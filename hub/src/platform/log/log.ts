import { pino, type DestinationStream } from 'pino';
import pretty from 'pino-pretty';
import { logFieldNames, type LogFields } from './log-fields.ts';

interface WriteEntry {
  (fields: LogFields, message: string): void;
  (message: string): void;
}

/** The hub's log. */
export type Log = Readonly<Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', WriteEntry>>;

/** Level, format and destination of the log. */
export interface LogOptions {
  readonly level: string;
  readonly format: 'pretty' | 'json';
  /** Standard output by default. */
  readonly destination?: NodeJS.WritableStream;
}

const loggedFields: ReadonlySet<string> = new Set(logFieldNames);

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
  return Object.fromEntries(allowed.map(([name, value]) => [name, serialize(value)]));
}

function serialize(value: unknown): unknown {
  if (value instanceof Error) return describeError(value);
  return typeof value === 'object' && value !== null ? scalarsOf(value) : value;
}

/** Of an object such as an actor only the scalar fields in the allowlist are logged. */
function scalarsOf(value: object): Record<string, unknown> {
  const scalars = Object.entries(value).filter(
    ([name, field]) => loggedFields.has(name) && (typeof field !== 'object' || field === null),
  );
  return Object.fromEntries(scalars);
}

/** An error in the log, without the fields that libraries attach, since these quote statements, values and requests. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack: string;
  readonly cause?: LoggedError;
}

const secret = /\b(?:u_sk|u_session_sk|deployment|d_sk)_[1-9A-HJ-NP-Za-km-z]{22,}/g;
const credentials = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s@/]+@/gi;

/** Removes the hub's secrets and passwords in URLs from a text. */
export function withoutSecrets(text: string): string {
  return text
    .replace(secret, (found) => `${found.slice(0, found.lastIndexOf('_') + 1)}…`)
    .replace(credentials, '$1:…@');
}

/** Describes an error and up to five nested causes for the log. */
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
