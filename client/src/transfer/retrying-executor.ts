import type { Executor } from '../executor.ts';
import { withRetries, type RetryOptions } from '../retry.ts';

/** An executor that waits while the hub is away. An action may run twice, when its first answer was lost: only for those that may. */
export function retryingExecutor(executor: Executor, options: RetryOptions): Executor {
  return { invoke: (name, input) => withRetries(() => executor.invoke(name, input), options) };
}
