import { ActionError } from '@corral/contract';

/**
 * Thrown by a command that needs something that another caller holds for a moment. The executor rolls the command back and retries it for up to three seconds, since most
 * clients do not retry by themselves; after that the caller gets the error, of kind NotReady.
 */
export class BusyError extends ActionError {
  constructor(message: string) {
    super('NotReady', message, { retryAfterSecs: 1 });
  }
}
