/** Lets through so many a second on average, with bursts; counted per key or over all. */
export class Pace {
  #perSecond: number;
  readonly #burst: number;
  readonly #nowMs: () => number;
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();

  constructor(perSecond: number, burst: number, nowMs: () => number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#nowMs = nowMs;
  }

  /** Lets through more or fewer from now on. */
  set perSecond(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Takes one; false when the key has used up what it may. */
  take(key = ''): boolean {
    const atMs = this.#nowMs();
    const bucket = this.#buckets.get(key) ?? { tokens: this.#burst, atMs };
    const tokens = Math.min(this.#burst, bucket.tokens + ((atMs - bucket.atMs) / 1000) * this.#perSecond);
    if (tokens < 1) return false;
    this.#buckets.set(key, { tokens: tokens - 1, atMs });
    return true;
  }

  /** Takes some more of a key, down to nothing left. */
  charge(key: string, count: number): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) bucket.tokens = Math.max(0, bucket.tokens - count);
  }

  /** Forgets the keys that have rested long enough to be full again. */
  sweep(): void {
    const fullBeforeMs = this.#nowMs() - (this.#burst / this.#perSecond) * 1000;
    for (const [key, { atMs }] of this.#buckets) if (atMs < fullBeforeMs) this.#buckets.delete(key);
  }
}
