import type { ActionName, CallInput, Output } from '@corral/contract';

/** Whatever runs actions: the hub over HTTP, the hub over a channel, or a table of answers in tests. Failures are `ActionError`s. */
export interface Executor {
  invoke<Name extends ActionName>(name: Name, input: CallInput<Name>): Promise<Output<Name>>;
}
