/** Lets a few pieces of work run at a time and some more wait in line. */
export interface Gate {
  /** Runs the work when its turn comes; throws the gate's refusal when the line is full. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Builds a gate: `concurrency` at a time, `maxWaiting` in line, first come, first served. */
export function createGate(concurrency: number, maxWaiting: number, refusal: () => Error): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;

  const enter = (): Promise<void> | undefined => {
    if (running < concurrency) {
      running += 1;
      return undefined;
    }
    if (waiting.length >= maxWaiting) throw refusal();
    return new Promise((resolve) => waiting.push(resolve));
  };
  // Whoever leaves hands the place on, so that a newcomer cannot overtake the line.
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return {
    async run(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
