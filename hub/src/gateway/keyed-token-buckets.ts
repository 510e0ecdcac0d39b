import { RecentKeys } from '../concurrency/recent-keys.ts';
import { TokenBucket, type RateLimit } from './token-bucket.ts';

interface Limits extends RateLimit {
  /** Above this number of keys the least recently used bucket is dropped; its key starts with a full bucket again. */
  readonly maxKeys: number;
}

/** One token bucket per key, with a bounded number of keys. */
export class KeyedTokenBuckets {
  readonly #limits: Limits;
  readonly #nowMs: () => number;
  readonly #buckets: RecentKeys<TokenBucket>;

  constructor(limits: Limits, nowMs: () => number) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#buckets = new RecentKeys(limits.maxKeys);
  }

  /** How many keys are kept. */
  get size(): number {
    return this.#buckets.size;
  }

  /** The tokens left of a key. */
  tokensOf(key: string): number {
    return this.#buckets.peek(key)?.tokens ?? this.#limits.burst;
  }

  /** Takes one token of a key; false when there is none. */
  take(key: string): boolean {
    return this.#use(key).take();
  }

  /** Takes tokens of a key whether or not they are there, down to `lowest`. */
  charge(key: string, count: number, lowest = 0): void {
    this.#use(key).charge(count, lowest);
  }

  /** Gives back one token of a key. */
  refund(key: string): void {
    const bucket = this.#buckets.peek(key);
    bucket?.refund();
    if (bucket !== undefined && bucket.tokens >= this.#limits.burst) this.#buckets.delete(key);
  }

  /** Forgets keys whose bucket is full again. */
  sweep(): void {
    this.#buckets.deleteWhile(({ tokens }) => tokens >= this.#limits.burst);
  }

  #use(key: string): TokenBucket {
    const bucket = this.#buckets.peek(key) ?? new TokenBucket(this.#limits, this.#nowMs);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
