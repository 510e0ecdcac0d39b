import { ActionError } from '@corral/contract';
import type { Executor } from '../executor/executor.ts';

/**
 * The executor for the servers of a node. Without a lease other nodes may treat this node as dead and take over its work, so every call is
 * refused with NotReady.
 */
export function fencedExecutor(executor: Executor, hasLease: () => boolean): Executor {
  const requireLease = (): void => {
    if (!hasLease())
      throw new ActionError('NotReady', 'The hub is joining its cluster again. Try again in a moment.', {
        retryAfterSecs: 5,
      });
  };
  return {
    async invoke(caller, name, input) {
      requireLease();
      return executor.invoke(caller, name, input);
    },
    async execute(caller, name, input) {
      requireLease();
      return executor.execute(caller, name, input);
    },
  };
}
