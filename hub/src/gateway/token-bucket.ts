/** A rate limit: `perSecond` on average, up to `burst` at once. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** One token bucket (the classic algorithm): refills continuously, a use takes one token. */
export class TokenBucket {
  #perSecond: number;
  readonly #burst: number;
  readonly #nowMs: () => number;
  #tokens: number;
  #atMs: number;

  constructor({ perSecond, burst }: RateLimit, nowMs: () => number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#nowMs = nowMs;
    this.#tokens = burst;
    this.#atMs = nowMs();
  }

  /** Changes the refill rate from now on. */
  set perSecond(perSecond: number) {
    this.#refill();
    this.#perSecond = perSecond;
  }

  /** The tokens that are left; negative while more was charged than there was. */
  get tokens(): number {
    this.#refill();
    return this.#tokens;
  }

  /** Takes one token; false when there is none. */
  take(): boolean {
    if (this.tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes tokens whether or not they are there, down to `lowest`. */
  charge(count: number, lowest = 0): void {
    this.#tokens = Math.max(Math.min(lowest, this.tokens), this.tokens - count);
  }

  /** Gives back one token that was taken. */
  refund(): void {
    this.#tokens = Math.min(this.#burst, this.tokens + 1);
  }

  #refill(): void {
    const atMs = this.#nowMs();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((atMs - this.#atMs) / 1000) * this.#perSecond);
    this.#atMs = atMs;
  }
}
