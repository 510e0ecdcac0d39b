import type { ActionError } from '@corral/contract';
import { isStatementStalled } from '../platform/db/database-unavailable.ts';
import type { LogFields } from '../platform/log/log-fields.ts';
import { isDiskFull } from './failures.ts';

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
