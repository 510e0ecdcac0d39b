const maxAttempts = 12;

/**
 * The longest time that work blocks the event loop, in milliseconds of CPU time. The work is repeated while the result is above a
 * limit, because a busy machine and the compiler can only lengthen it.
 */
export async function longestBlockMs(limitMs: number, work: () => Promise<unknown>): Promise<number> {
  let leastMs = Infinity;
  for (let attempt = 1; attempt <= maxAttempts && leastMs >= limitMs; attempt += 1)
    leastMs = Math.min(leastMs, await measure(work));
  return leastMs;
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  let longestUs = 0;
  let isOver = false;
  let before = process.threadCpuUsage();
  const look = (): void => {
    const now = process.threadCpuUsage();
    longestUs = Math.max(longestUs, now.user + now.system - before.user - before.system);
    before = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return longestUs / 1000;
}
