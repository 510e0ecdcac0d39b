import { RecentKeys } from './recent-keys.ts';

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
  #perSecond: number;

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

  /** Changes the rate of the bucket of all from now on. */
  set perSecond(perSecond: number) {
    this.#keep('', this.tokensOf());
    this.#perSecond = perSecond;
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
