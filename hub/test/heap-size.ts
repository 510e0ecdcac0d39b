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
