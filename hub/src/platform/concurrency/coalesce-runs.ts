/** Wraps work so that it never overlaps itself: calls during a run cause exactly one more run after it. The work must handle its own errors. */
export function coalesceRuns(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isRequestedAgain = false;
  const run = async (): Promise<void> => {
    do {
      isRequestedAgain = false;
      await work();
    } while (isRequestedAgain);
  };
  return () => {
    if (running === undefined) running = run().finally(() => (running = undefined));
    else isRequestedAgain = true;
    return running;
  };
}
