const maxAttempts = 12;

/**
 * The longest time that work blocks the event loop, in milliseconds. It is repeated while above a limit, because a busy machine can only
 * lengthen it. A turn counts with its CPU or wall-clock time, whichever is shorter.
 */
export async function longestBlockMs(limitMs: number, work: () => Promise<unknown>): Promise<number> {
  let leastMs = Infinity;
  for (let attempt = 1; attempt <= maxAttempts && leastMs >= limitMs; attempt += 1)
    leastMs = Math.min(leastMs, await measure(work));
  return leastMs;
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isOver = false;
  let before = now();
  const look = (): void => {
    const after = now();
    longestMs = Math.max(longestMs, Math.min(after.cpuMs - before.cpuMs, after.wallMs - before.wallMs));
    before = after;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return longestMs;
}

function now(): { cpuMs: number; wallMs: number } {
  const { user, system } = process.threadCpuUsage();
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() };
}
