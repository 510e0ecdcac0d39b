import type { InputReservation } from '@corral/multiplex';
import { createSemaphore, type Semaphore } from '../concurrency/semaphore.ts';
import type { Link } from './link.ts';

/** Inputs up to this size are read as they arrive. */
const smallInputBytes = 65_536;
/** How many larger inputs are read at a time, over all connections and of one. */
const largeInputsAtOnce = 32;
const largeInputsOfLink = 1;
/** How long a large input may take to arrive once it is being read. */
const arrivalTimeoutMs = 30_000;

/**
 * Bounds the memory for the inputs of calls over channels: large inputs are read a few at a time, and the others wait without credit.
 * A connection that announces a large input and sends it slowly blocks one place for 30 s at most.
 */
export class LargeInputQueue {
  readonly #all: Semaphore = createSemaphore({ concurrency: largeInputsAtOnce });
  readonly #ofLink = new WeakMap<Link, Semaphore>();

  /** Waits for the turn of an input, undefined for a small one; `onLate` is called when it does not arrive in time. */
  enqueue(link: Link, inputBytes: number, onLate: () => void): Promise<InputReservation> | undefined {
    if (inputBytes <= smallInputBytes) return undefined;
    const { promise: granted, resolve } = Promise.withResolvers<InputReservation>();
    const released = Promise.withResolvers<void>();
    const hold = (): Promise<void> => {
      const timer = setTimeout(onLate, arrivalTimeoutMs);
      const arrived = (): void => clearTimeout(timer);
      resolve({ arrived, free: () => (arrived(), released.resolve()) });
      return released.promise;
    };
    void this.#semaphoreOf(link).run(() => this.#all.run(hold));
    return granted;
  }

  #semaphoreOf(link: Link): Semaphore {
    const known = this.#ofLink.get(link);
    if (known !== undefined) return known;
    const semaphore = createSemaphore({ concurrency: largeInputsOfLink });
    this.#ofLink.set(link, semaphore);
    return semaphore;
  }
}
