import { ActionError } from '@corral/contract';
import type { Executor } from '../../calls/executor.ts';

/** An executor that refuses calls while its node has no lease. */
export interface FencedExecutor extends Executor {
  /** Refuses the calls that are still running, for a node that lost its lease and whose database does not answer. They may have taken effect. */
  refuseWaiting(): void;
}

/** The executor of a node. Without a lease it refuses every call with NotReady: other nodes may treat this one as dead. */
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
    run: (caller, internal, ...input) => untilRefused(() => executor.run(caller, internal, ...input)),
    refuseWaiting() {
      for (const reject of waiting) reject(refusal());
    },
  };
}

const refusal = (): ActionError =>
  new ActionError('NotReady', 'The hub is joining its cluster again. Try again in a moment.', {
    retryAfterSecs: 5,
  });
