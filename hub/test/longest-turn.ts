/** The longest turn of the event loop while work ran, in milliseconds of CPU time: what other processes took does not count. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
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
