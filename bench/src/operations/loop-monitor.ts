// Preloaded into a hub that is measured: writes each second how long its event loop was held at most, and on SIGUSR2 the size of its heap after a collection.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const lookMs = 2;
const reportMs = 1_000;

/** The processor time of this thread in milliseconds: others on the machine do not lengthen it. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

let longestMs = 0;
let last = usedMs();
setInterval(() => {
  const now = usedMs();
  longestMs = Math.max(longestMs, now - last);
  last = now;
}, lookMs).unref();
setInterval(() => {
  process.stdout.write(`loop ${longestMs.toFixed(1)}\n`);
  longestMs = 0;
}, reportMs).unref();

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => {
  collect();
  collect();
  process.stdout.write(`heap ${process.memoryUsage().heapUsed}\n`);
});
