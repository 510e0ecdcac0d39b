const longestSecs = 300;
/** Whole seconds are rounded places: by this much they are spread again. */
const spreadSecs = 2;

/** Tells those who are sent away when to come back: at the pace at which they can be let in, and never all at once. */
export class ReturnTimes {
  #perSecond: number;
  readonly #nowMs: () => number;
  readonly #random: () => number;
  #lastAtMs = 0;

  constructor(perSecond: number, nowMs: () => number, random: () => number = Math.random) {
    this.#perSecond = perSecond;
    this.#nowMs = nowMs;
    this.#random = random;
  }

  /** Gives away more or fewer places a second from now on; those that are given away stay. */
  set perSecond(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Gives no place away that is due sooner than after this time. */
  noneFor(durationMs: number): void {
    this.#lastAtMs = Math.max(this.#lastAtMs, this.#nowMs() + durationMs);
  }

  /** Gives away the next place and answers in how many whole seconds it is due, at least one. */
  nextSecs(): number {
    const nowMs = this.#nowMs();
    this.#lastAtMs = Math.max(this.#lastAtMs, nowMs) + 1_000 / this.#perSecond;
    const waitSecs = Math.min((this.#lastAtMs - nowMs) / 1_000, longestSecs);
    return 1 + Math.floor(waitSecs + this.#random() * spreadSecs);
  }
}
