import type { ActionError } from '@corral/contract';

/** Returned by a handler to refuse the caller and keep its changes: the transaction commits, then the error is thrown. */
export class Refusal {
  readonly error: ActionError;

  constructor(error: ActionError) {
    this.error = error;
  }
}
