/** Limits how many pieces of work run at the same time; the others wait in order. */
export interface Semaphore {
  /** Takes a slot; fulfilled when it is free, undefined if it was free. Throws the error of `full` when the queue is full. */
  acquire(): Promise<void> | undefined;
  /** Gives a slot back that was taken by `acquire`. */
  release(): void;
  /** Runs the work when its turn comes. Throws the error of `full` when the queue is full. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** How a semaphore limits work. */
export interface SemaphoreOptions {
  /** How many run at the same time. */
  readonly concurrency: number;
  /** How many may wait; unlimited by default. */
  readonly maxWaiting?: number;
  /** Makes the error for work that finds the queue full. */
  readonly full?: () => Error;
}

/** Builds a semaphore whose queue is first in, first out. */
export function createSemaphore({ concurrency, maxWaiting = Infinity, full }: SemaphoreOptions): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;

  const acquire = (): Promise<void> | undefined => {
    if (running < concurrency) {
      running += 1;
      return undefined;
    }
    if (waiting.length >= maxWaiting) throw full?.() ?? new Error('Too much work is waiting.');
    return new Promise((resolve) => waiting.push(resolve));
  };
  // The slot passes directly to the next in the queue, so that new work cannot overtake it.
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return {
    acquire,
    release,
    async run(work) {
      await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
