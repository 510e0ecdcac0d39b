import { ChannelClosure, type InputReservation } from '@corral/multiplex';
import { CallerSemaphore, type CallerKeys } from '../concurrency/caller-semaphore.ts';
import {
  maxLargeInputs,
  maxLargeInputsPerCaller,
  smallInputBytes,
} from '../concurrency/large-input-limits.ts';

/** How many large inputs the devices of one project may have, and all devices, which leave room for command lines; a caller is counted over all its connections. */
const maxLargeInputsPerProject = 16;
const maxLargeInputsOfDevices = 28;
/** How many wait: more than a large fleet has devices that return after an outage with full batches of events. */
const maxWaiting = 16_384;
/** How long a large input may take to arrive once it is being read. No minimum rate: over a slow mobile network 1 MiB takes about as long. */
const arrivalTimeoutMs = 30_000;

/**
 * Bounds the memory for the inputs of calls over channels: large inputs are read a few at a time, and the others wait without credit. Next is an input of the project, or of the user, of which the
 * fewest are being read. A caller that sends large inputs slowly occupies at most two places for 30 s, however many connections it has; the devices of one project occupy at most half of all places.
 */
export class LargeInputQueue {
  readonly #semaphore = new CallerSemaphore({
    inAll: maxLargeInputs,
    ofDevices: maxLargeInputsOfDevices,
    ofProject: maxLargeInputsPerProject,
    ofCaller: maxLargeInputsPerCaller,
    waiting: maxWaiting,
    full: () => new ChannelClosure('too many large inputs are waiting'),
  });

  /** How many callers have large inputs that are read or wait. */
  get callerCount(): number {
    return this.#semaphore.size;
  }

  /** Waits for the turn of an input of a caller, undefined for a small one; `onLate` is called when it does not arrive in time. Rejected with a ChannelClosure when too many wait. */
  enqueue(keys: CallerKeys, inputBytes: number, onLate: () => void): Promise<InputReservation> | undefined {
    if (inputBytes <= smallInputBytes) return undefined;
    return this.#reserve(keys, onLate);
  }

  async #reserve(keys: CallerKeys, onLate: () => void): Promise<InputReservation> {
    await this.#semaphore.acquire(keys);
    const timer = setTimeout(onLate, arrivalTimeoutMs);
    return {
      arrived: () => clearTimeout(timer),
      free: () => {
        clearTimeout(timer);
        this.#semaphore.release(keys);
      },
    };
  }
}
