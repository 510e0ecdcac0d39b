import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** Collects garbage, then returns the memory in use in bytes, including buffers outside the heap. */
export function heapBytesAfterGc(): number {
  setFlagsFromString('--expose-gc');
  collect ??= runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The memory in use once all that has ended is closed: sockets close in turns of the event loop, and free more with each collection. */
async function settledHeapBytes(): Promise<number> {
  for (let turn = 0; turn < 10; turn += 1) {
    heapBytesAfterGc();
    await new Promise(setImmediate);
  }
  return heapBytesAfterGc();
}

/** The bytes that each of `count` operations leaves in memory, of which eight run at once. As many run before, since the first ones fill caches. */
export async function bytesLeftByEach(
  count: number,
  run: (number: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const runUpTo = async (end: number): Promise<void> => {
    const worker = async (): Promise<void> => {
      while (next < end) await run((next += 1));
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  };
  await runUpTo(count);
  const before = await settledHeapBytes();
  await runUpTo(2 * count);
  return ((await settledHeapBytes()) - before) / count;
}
