// Runs in the hub itself: prints the most processor time that its main thread took without coming back to a timer of 1 ms, each quarter of a second.
import { isMainThread } from 'node:worker_threads';

const reportEveryMs = 250;

if (isMainThread) {
  let [longestMs, reportedAt] = [0, performance.now()];
  let last = process.threadCpuUsage();
  setInterval(() => {
    const usage = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (usage.user + usage.system - last.user - last.system) / 1_000);
    if (performance.now() - reportedAt >= reportEveryMs) {
      process.stdout.write(`longest turn ${longestMs.toFixed(1)} ms\n`);
      [longestMs, reportedAt] = [0, performance.now()];
    }
    last = process.threadCpuUsage();
  }, 1).unref();
}
