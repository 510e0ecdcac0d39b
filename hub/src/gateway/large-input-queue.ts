import type { InputReservation } from '@corral/multiplex';
import { CallerSemaphore, type CallerKeys } from '../concurrency/caller-semaphore.ts';
import {
  maxLargeInputs,
  maxLargeInputsPerCaller,
  smallInputBytes,
} from '../concurrency/large-input-limits.ts';

/** How many large inputs the devices of one project may have; a caller is counted over all its connections. */
const maxLargeInputsPerProject = 16;
/** How long a large input may take to arrive once it is being read. */
const arrivalTimeoutMs = 30_000;

/**
 * Bounds the memory for the inputs of calls over channels: large inputs are read a few at a time, and the others wait without credit, as many as there are channels.
 * A caller that sends large inputs slowly occupies at most two places for 30 s, however many connections it has; the devices of one project occupy at most half of all places.
 */
export class LargeInputQueue {
  readonly #semaphore = new CallerSemaphore({
    inAll: maxLargeInputs,
    ofProject: maxLargeInputsPerProject,
    ofCaller: maxLargeInputsPerCaller,
  });

  /** How many callers have large inputs that are read or wait. */
  get callerCount(): number {
    return this.#semaphore.size;
  }

  /** Waits for the turn of an input of a caller, undefined for a small one; `onLate` is called when it does not arrive in time. */
  enqueue(keys: CallerKeys, inputBytes: number, onLate: () => void): Promise<InputReservation> | undefined {
    if (inputBytes <= smallInputBytes) return undefined;
    const { promise: granted, resolve } = Promise.withResolvers<InputReservation>();
    const released = Promise.withResolvers<void>();
    const hold = (): Promise<void> => {
      const timer = setTimeout(onLate, arrivalTimeoutMs);
      const arrived = (): void => clearTimeout(timer);
      resolve({ arrived, free: () => (arrived(), released.resolve()) });
      return released.promise;
    };
    void this.#semaphore.run(keys, hold);
    return granted;
  }
}
