import type { ActionError, ActionName } from '@corral/contract';
import { isDiskFull } from './failures.ts';
import type { LogFields } from '../log/log-fields.ts';

interface ErrorLog {
  error(fields: LogFields, message: string): void;
}

/** Every action that writes fails on a full disk, and the log may be on it. */
const fullDiskPauseMs = 60_000;

/** Logs the failures of actions that an operator must know of: those without a known reason, and once a minute that the disk is full. */
export class FailureLog {
  readonly #log: ErrorLog;
  readonly #nowMs: () => number;
  #fullDiskAtMs = -Infinity;

  constructor(log: ErrorLog, nowMs: () => number) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /** Logs the failure if it is one of these. */
  write(action: ActionName, failure: ActionError): void {
    const err = failure.cause ?? failure;
    if (failure.kind === 'Internal') {
      this.#log.error({ requestId: failure.requestId, action, err }, 'an action failed');
    } else if (isDiskFull(failure.cause) && this.#nowMs() - this.#fullDiskAtMs >= fullDiskPauseMs) {
      this.#fullDiskAtMs = this.#nowMs();
      this.#log.error({ action, err }, 'the disk has no room left');
    }
  }
}
