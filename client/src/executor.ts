import type { ActionName, CallInput, Output } from '@corral/contract';

/** Runs actions: on the hub over HTTP or a channel, or from a table of answers in tests. Failures are `ActionError`s. */
export interface Executor {
  /** Where the way to the hub allows it, the call ends when `signal` aborts. */
  invoke<Name extends ActionName>(
    name: Name,
    input: CallInput<Name>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Output<Name>>;
}
