import { ActionError } from '@corral/contract';
import type { IncomingMessage } from 'node:http';
import { CallerSemaphore } from '../concurrency/caller-semaphore.ts';
import {
  maxLargeInputs,
  maxLargeInputsPerCaller,
  smallInputBytes,
} from '../concurrency/large-input-limits.ts';

/** How many larger bodies may wait unread. */
const waiting = 256;

/** Bounds the memory for large request bodies, as `LargeInputQueue` does for calls over channels: only a few are in memory at a time, and fewer of one caller. */
export class LargeBodyQueue {
  readonly #semaphore = new CallerSemaphore({
    inAll: maxLargeInputs,
    ofCaller: maxLargeInputsPerCaller,
    waiting,
    full: busy,
  });

  /** Runs the work when its turn comes; at once for a request whose body is small. `maxBytes` is how large it may be. */
  run<Result>(
    caller: string,
    { headers }: IncomingMessage,
    maxBytes: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const sizeBytes =
      headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : maxBytes;
    if (Math.min(sizeBytes, maxBytes) <= smallInputBytes) return work();
    return this.#semaphore.run({ caller }, work);
  }
}

function busy(): ActionError {
  return new ActionError('Throttled', 'Too many large inputs are waiting. Try again in a moment.', {
    retryAfterSecs: 5,
  });
}
