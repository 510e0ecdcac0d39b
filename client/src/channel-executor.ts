import { ActionError, type ErrorKind } from '@corral/contract';
import { RpcError, type RpcClient } from '@corral/multiplex';
import type { Executor } from './executor.ts';

const kinds: Readonly<Record<string, ErrorKind>> = {
  Invalid: 'Invalid',
  Forbidden: 'Forbidden',
  RateLimited: 'Throttled',
};

/** Runs actions over an `executor` channel, one after the other. A channel that ends is an `ActionError` of kind NotReady. */
export function channelExecutor(client: RpcClient): Executor {
  return {
    async invoke(name, input) {
      try {
        return (await client.invoke(name, input)) as never;
      } catch (error) {
        throw toActionError(error);
      }
    },
  };
}

function toActionError(error: unknown): ActionError {
  if (error instanceof RpcError) return new ActionError(kinds[error.kind] ?? 'Internal', error.message);
  return new ActionError('NotReady', 'The connection to the hub ended.', { cause: error });
}
