import { ActionError } from '@corral/contract';
import type { Executor } from '../executor/executor.ts';

/**
 * The executor of the doors of a node: without a lease others may take the node for dead and act in its place, so that it
 * acknowledges nothing any more. Refused with NotReady.
 */
export function fencedExecutor(executor: Executor, hasLease: () => boolean): Executor {
  const mustHoldLease = (): void => {
    if (!hasLease())
      throw new ActionError('NotReady', 'The hub is joining its cluster again. Try again in a moment.', {
        retryAfterSecs: 5,
      });
  };
  return {
    async invoke(caller, name, input) {
      mustHoldLease();
      return executor.invoke(caller, name, input);
    },
    async execute(caller, name, input) {
      mustHoldLease();
      return executor.execute(caller, name, input);
    },
  };
}
