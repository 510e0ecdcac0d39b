import { ActionError } from '@corral/contract';
import type { Executor } from '../executor/executor.ts';

/** An executor that other nodes need not fear. */
export interface FencedExecutor extends Executor {
  /** Answers all calls that wait as if they came now: for a node without a lease, whose database does not answer them. Whether they were done is not known. */
  refuseWaiting(): void;
}

/**
 * The executor for the servers of a node. Without a lease other nodes may treat this node as dead and take over its work, so every call is
 * refused with NotReady.
 */
export function fencedExecutor(executor: Executor, hasLease: () => boolean): FencedExecutor {
  const waiting = new Set<(refusal: ActionError) => void>();
  const untilRefused = <T>(call: () => Promise<T>): Promise<T> => {
    if (!hasLease()) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      waiting.add(reject);
      void call()
        .then(resolve, reject)
        .finally(() => waiting.delete(reject));
    });
  };
  return {
    invoke: (caller, name, input) => untilRefused(() => executor.invoke(caller, name, input)),
    execute: (caller, name, input) => untilRefused(() => executor.execute(caller, name, input)),
    refuseWaiting() {
      for (const reject of waiting) reject(refusal());
    },
  };
}

const refusal = (): ActionError =>
  new ActionError('NotReady', 'The hub is joining its cluster again. Try again in a moment.', {
    retryAfterSecs: 5,
  });
