// Setup file of vitest: raises the timeout of `vi.waitFor` and `vi.waitUntil` from one second to a minute, for busy machines.
// A wait still ends as soon as its condition holds.
import { vi } from 'vitest';

const waitMs = 60_000;
const hasLongTimeouts = Symbol.for('corral.waits-are-lengthened');

type Options = number | { timeout?: number; interval?: number };
type Wait = (condition: () => unknown, options?: Options) => Promise<unknown>;

function withLongTimeout(wait: Wait): Wait {
  return (condition, options) =>
    wait(condition, typeof options === 'number' ? options : { timeout: waitMs, ...options });
}

// The test files of a worker share `vi`, and each of them runs this file.
if (!Object.hasOwn(vi, hasLongTimeouts))
  Object.assign(vi, {
    waitFor: withLongTimeout(vi.waitFor as Wait),
    waitUntil: withLongTimeout(vi.waitUntil as Wait),
    [hasLongTimeouts]: true,
  });
