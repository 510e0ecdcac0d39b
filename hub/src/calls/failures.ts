import { ActionError, type AuditLogActionStatus, errorKinds } from '@corral/contract';
import { StorageError } from '../domains/assets/storage/asset-storage.ts';
import { codeOf, isDatabaseUnavailable, isStatementStalled } from '../platform/db/database-unavailable.ts';
import type { LogFields } from '../platform/log/log-fields.ts';

const fullDiskCodes = new Set(['53100', '58030', 'ENOSPC']);
/** Foreign-key violation: the referenced row was deleted meanwhile. */
const brokenReferenceCode = '23503';
const conflictCodes = new Set(['40001', '40P01']);

const conflictRetries = 3;
const busyRetries = 30;
const busyPauseMs = 100;

/** How long to wait before a command runs again that was rolled back, in milliseconds: after a serialization failure, a deadlock or a `BusyError`; undefined if it is not to run again. */
export function pauseBeforeRetry(error: unknown, attempt: number): number | undefined {
  if (error instanceof BusyError) return attempt <= busyRetries ? busyPauseMs : undefined;
  return conflictCodes.has(codeOf(error)) && attempt <= conflictRetries ? 0 : undefined;
}

/** The `ActionError` for anything a handler threw. Unexpected errors become Internal: their details are only logged, under the request id. */
export function failureOf(error: unknown, requestId: string): ActionError {
  if (error instanceof ActionError) return error;
  if (isDatabaseUnavailable(error)) {
    return new ActionError('NotReady', 'The database is not ready. Try again in a moment.', {
      retryAfterSecs: 1,
      cause: error,
    });
  }
  if (isStatementStalled(error)) {
    // What took too long is not tried again at once: that would add to the load.
    return new ActionError('NotReady', 'The database took too long. Try again in a moment.', {
      retryAfterSecs: 5,
      cause: error,
    });
  }
  if (error instanceof StorageError) {
    // A store that fails is no failure of the hub: its sentence says what to do, and the same call may succeed later.
    return new ActionError('NotReady', error.message, { retryAfterSecs: 5, cause: error });
  }
  if (codeOf(error) === brokenReferenceCode) {
    return new ActionError('Invalid', 'Something that this belongs to has just been deleted.', {
      cause: error,
    });
  }
  if (isDiskFull(error)) {
    return new ActionError('NotReady', 'The hub has no room left on its disk.', {
      retryAfterSecs: 30,
      cause: error,
    });
  }
  return new ActionError('Internal', 'Something went wrong in the hub.', { requestId, cause: error });
}

/** Whether the database or the file system has no room left. */
function isDiskFull(error: unknown): boolean {
  return fullDiskCodes.has(codeOf(error));
}

/** Whether a call failed by the fault of its caller, rather than of the hub. */
export function isFaultOfCaller(error: unknown): boolean {
  return error instanceof ActionError && errorKinds[error.kind].status < 500;
}

/** The failure for callers by a newer name, whose decoders know RateLimited. */
export function toNewerError(error: unknown): unknown {
  if (!(error instanceof ActionError) || error.kind !== 'Throttled') return error;
  const { message, retryAfterSecs } = error;
  return new ActionError('RateLimited', message, {
    ...(retryAfterSecs === undefined ? {} : { retryAfterSecs }),
    cause: error,
  });
}

/** The audit status of a failed command. */
export function statusOf(failure: ActionError): AuditLogActionStatus {
  if (failure.kind === 'Internal') return 'Panicked';
  return failure.kind === 'Throttled' || failure.kind === 'NotReady' ? 'Rejected' : 'Failed';
}

/**
 * Thrown by a command that needs something that another caller holds for a moment. The executor rolls the command back and retries it for up to three seconds, since most
 * clients do not retry by themselves; after that the caller gets the error, of kind NotReady.
 */
export class BusyError extends ActionError {
  constructor(message: string) {
    super('NotReady', message, { retryAfterSecs: 1 });
  }
}

/** Returned by a handler to refuse the caller and keep its changes: the transaction commits, then the error is thrown. */
export class Refusal {
  readonly error: ActionError;

  constructor(error: ActionError) {
    this.error = error;
  }
}

interface ErrorLog {
  error(fields: LogFields, message: string): void;
}

/** Every action that writes fails on a full disk or on one that stands still, and the log may be on it. */
const pauseMs = 60_000;

/** Logs the failures of actions that an operator must know of: those without a known reason, and once a minute that the disk is full, or that statements take too long. */
export class FailureLog {
  readonly #log: ErrorLog;
  readonly #nowMs: () => number;
  /** When each message was last logged. */
  readonly #loggedAtMs = new Map<string, number>();

  constructor(log: ErrorLog, nowMs: () => number) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /** Logs the failure if it is one of these. */
  write(action: string, failure: ActionError): void {
    const err = failure.cause ?? failure;
    if (failure.kind === 'Internal') {
      this.#log.error({ requestId: failure.requestId, action, err }, 'an action failed');
      return;
    }
    const message = messageOf(failure);
    if (message === undefined || this.#nowMs() - (this.#loggedAtMs.get(message) ?? -Infinity) < pauseMs)
      return;
    this.#loggedAtMs.set(message, this.#nowMs());
    this.#log.error({ action, err }, message);
  }
}

/** A search that took too long is the fault of its caller. */
function messageOf({ kind, cause }: ActionError): string | undefined {
  if (kind !== 'NotReady') return undefined;
  if (isDiskFull(cause)) return 'the disk has no room left';
  return isStatementStalled(cause) ? 'a statement took too long and was ended' : undefined;
}
