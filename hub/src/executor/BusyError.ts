import { ActionError } from '@corral/contract';

/**
 * Thrown by a command that needs what somebody else has for a moment. The executor rolls it back and runs it again for up to three seconds, since most clients do not
 * try again by themselves; then the caller gets the sentence, as NotReady.
 */
export class BusyError extends ActionError {
  constructor(message: string) {
    super('NotReady', message, { retryAfterSecs: 1 });
  }
}
