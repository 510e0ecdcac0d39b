import { Buckets, type Rate } from './bucket.ts';
import { limits, longestWaitMs } from './table.ts';

/** How long later calls of a caller are held up at most because of refused ones that began at the same time. */
const longestBehindSecs = 300;

/** The refused calls of users, or of devices, by `callerKey`: all calls of a caller above the rate wait. */
export class RefusedCalls {
  readonly #rate: Rate;
  readonly #buckets: Buckets;

  constructor(rate: Rate, nowMs: () => number) {
    this.#rate = rate;
    this.#buckets = new Buckets(rate, nowMs);
  }

  /** Whether the next call would wait or be refused. */
  isBehind(key: string): boolean {
    return this.#buckets.tokensOf(key) < 1;
  }

  /** Counts the next call before it runs, and returns how long it waits, in milliseconds; undefined, without counting it, when that is too long. */
  waitMs(key: string): number | undefined {
    return this.#buckets.waitMs(key, longestWaitMs);
  }

  /** Counts a call that was refused, and had not been counted before. */
  charge(key: string): void {
    this.#buckets.charge(key, 1, -longestBehindSecs * this.#rate.perSecond);
  }
}

/** The refused calls of all callers, over HTTP and links together. */
export interface AllRefusedCalls {
  readonly users: RefusedCalls;
  readonly devices: RefusedCalls;
}

/** Counts refused calls. `nowMs` is a monotonic clock in milliseconds. */
export function countRefusedCalls(nowMs: () => number): AllRefusedCalls {
  return {
    users: new RefusedCalls(limits.refusedCallsOfUser, nowMs),
    devices: new RefusedCalls(limits.refusedCallsOfDevice, nowMs),
  };
}
