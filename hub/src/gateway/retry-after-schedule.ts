const maxRetrySecs = 300;
/** Whole seconds are coarse: a random part of this length spreads the returns again. */
const spreadSecs = 2;

/** Schedules Retry-After times so that refused clients return at the rate at which they can be admitted. */
export class RetryAfterSchedule {
  #perSecond: number;
  readonly #nowMs: () => number;
  readonly #random: () => number;
  #lastAtMs = 0;

  constructor(perSecond: number, nowMs: () => number, random: () => number = Math.random) {
    this.#perSecond = perSecond;
    this.#nowMs = nowMs;
    this.#random = random;
  }

  /** Changes how many retries are scheduled per second; retries that are already scheduled keep their time. */
  set perSecond(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Schedules no retry earlier than `durationMs` from now. */
  blockFor(durationMs: number): void {
    this.#lastAtMs = Math.max(this.#lastAtMs, this.#nowMs() + durationMs);
  }

  /** Schedules the next retry and returns in how many whole seconds it is due: at least 1, at most some 300. */
  nextSecs(): number {
    const nowMs = this.#nowMs();
    this.#lastAtMs = Math.max(this.#lastAtMs, nowMs) + 1_000 / this.#perSecond;
    const waitSecs = Math.min((this.#lastAtMs - nowMs) / 1_000, maxRetrySecs);
    return 1 + Math.floor(waitSecs + this.#random() * spreadSecs);
  }
}
