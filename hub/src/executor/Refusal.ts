import type { ActionError } from '@corral/contract';

/** What a handler answers when its deed stands although the caller is refused: the transaction commits, then the error is thrown. */
export class Refusal {
  readonly error: ActionError;

  constructor(error: ActionError) {
    this.error = error;
  }
}
