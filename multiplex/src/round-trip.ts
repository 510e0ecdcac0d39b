/** Measures the round trip with at most one Ping outstanding; all times in milliseconds. */
export class RoundTrip {
  /** 7/8 old + 1/8 new; undefined until the first answer. */
  smoothedMs: number | undefined;
  #sentAtMs: number | undefined;
  #isOutstanding = false;

  /** Whether a Ping may go out: none is outstanding, and the last is at least `intervalMs` ago. */
  isDue(nowMs: number, intervalMs: number): boolean {
    return !this.#isOutstanding && (this.#sentAtMs === undefined || nowMs - this.#sentAtMs >= intervalMs);
  }

  /** Notes that a Ping was sent. */
  sent(nowMs: number): void {
    this.#sentAtMs = nowMs;
    this.#isOutstanding = true;
  }

  /** Notes a Pong; false when none was expected. */
  answered(nowMs: number): boolean {
    if (!this.#isOutstanding || this.#sentAtMs === undefined) return false;
    const sampleMs = nowMs - this.#sentAtMs;
    this.#isOutstanding = false;
    this.smoothedMs = this.smoothedMs === undefined ? sampleMs : (7 * this.smoothedMs + sampleMs) / 8;
    return true;
  }

  /** The round trip at least: an unanswered Ping has told something too, unless it is older than `patienceMs`. */
  atLeastMs(nowMs: number, patienceMs: number): number {
    const knownMs = this.smoothedMs ?? 0;
    if (!this.#isOutstanding || this.#sentAtMs === undefined) return knownMs;
    const waitedMs = nowMs - this.#sentAtMs;
    return waitedMs < patienceMs ? Math.max(knownMs, waitedMs) : knownMs;
  }
}
