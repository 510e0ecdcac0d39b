// Setup file of vitest: the waits of tests, which end after a second by default, wait a minute. A wait ends with its condition, so a long one costs nothing, and a busy machine needs it.
import { vi } from 'vitest';

const waitMs = 60_000;
const isLengthened = Symbol.for('corral.waits-are-lengthened');

type Options = number | { timeout?: number; interval?: number };
type Wait = (condition: () => unknown, options?: Options) => Promise<unknown>;

function withLongTimeout(wait: Wait): Wait {
  return (condition, options) =>
    wait(condition, typeof options === 'number' ? options : { timeout: waitMs, ...options });
}

// The files of a worker share `vi`, and each runs this.
if (!Object.hasOwn(vi, isLengthened))
  Object.assign(vi, {
    waitFor: withLongTimeout(vi.waitFor as Wait),
    waitUntil: withLongTimeout(vi.waitUntil as Wait),
    [isLengthened]: true,
  });
