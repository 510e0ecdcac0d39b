import { limits, longestWaitMs } from './table.ts';

/** `perSecond` on average, up to `burst` at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** How many keys are kept, of some 150 bytes each. The one that was used longest ago is forgotten, and starts with a full bucket again. */
export const maxKeys = 16_384;

/** One token bucket for each key, such as a network or a user: it refills continuously, and a use takes one token. Without a key there is one bucket for all. */
export class Buckets {
  readonly #burst: number;
  readonly #nowMs: () => number;
  readonly #buckets = new RecentKeys<Bucket>(maxKeys);
  readonly #perSecond: number;

  /** `nowMs` is a monotonic clock in milliseconds. */
  constructor({ perSecond, burst }: Rate, nowMs: () => number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#nowMs = nowMs;
  }

  /** How many keys are kept. */
  get size(): number {
    return this.#buckets.size;
  }

  /** The tokens that are left; negative while more was charged than there was. */
  tokensOf(key = ''): number {
    const bucket = this.#buckets.peek(key);
    if (bucket === undefined) return this.#burst;
    const since = this.#nowMs() - bucket.atMs;
    return Math.min(this.#burst, bucket.tokens + (since / 1_000) * this.#perSecond);
  }

  /** Takes a token; false when there is none. */
  take(key = ''): boolean {
    const tokens = this.tokensOf(key);
    this.#keep(key, tokens < 1 ? tokens : tokens - 1);
    return tokens >= 1;
  }

  /** Takes tokens whether or not they are there, down to `lowest`. */
  charge(key = '', count = 1, lowest = 0): void {
    const tokens = this.tokensOf(key);
    this.#keep(key, Math.max(Math.min(lowest, tokens), tokens - count));
  }

  /** Gives a token back. */
  refund(key = ''): void {
    this.#keep(key, this.tokensOf(key) + 1);
  }

  /** Takes a token, and returns how long to wait for it, in milliseconds; undefined, without taking it, when that is longer than `maxMs`. */
  waitMs(key: string, maxMs: number): number | undefined {
    const tokens = this.tokensOf(key);
    const waitMs = Math.max(0, ((1 - tokens) * 1_000) / this.#perSecond);
    if (waitMs > maxMs) return undefined;
    this.#keep(key, tokens - 1);
    return waitMs;
  }

  #keep(key: string, tokens: number): void {
    if (tokens >= this.#burst) this.#buckets.delete(key);
    else this.#buckets.set(key, { tokens, atMs: this.#nowMs() });
  }
}

/**
 * A map of bounded size, ordered by last use. At `maxKeys` the entry that was used longest ago is evicted. Keys must be short
 * strings that share no memory with longer ones: a slice keeps its whole source alive.
 */
export class RecentKeys<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #maxKeys: number;

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
  }

  /** How many keys are kept. */
  get size(): number {
    return this.#entries.size;
  }

  /** The value of a key, without counting as a use. */
  peek(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Sets the value of a key, which makes it the one used last. */
  set(key: string, value: Value): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#maxKeys) {
      const { value: oldest } = this.#entries.keys().next();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, value);
  }

  /** Removes a key. */
  delete(key: string): void {
    this.#entries.delete(key);
  }
}

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
