/** Measures the round trip with at most one Ping outstanding; all times in milliseconds. */
export class RoundTrip {
  /** 7/8 old + 1/8 new; undefined until the first answer. */
  smoothedMs: number | undefined;
  #sentAtMs: number | undefined;
  #isOutstanding = false;

  /** Whether a Ping may be sent: none is outstanding, and the last one was sent at least `intervalMs` ago. */
  isDue(nowMs: number, intervalMs: number): boolean {
    return !this.#isOutstanding && (this.#sentAtMs === undefined || nowMs - this.#sentAtMs >= intervalMs);
  }

  /** Notes that a Ping was sent. */
  sent(nowMs: number): void {
    this.#sentAtMs = nowMs;
    this.#isOutstanding = true;
  }

  /** Notes a Pong; false when no Ping is outstanding. */
  answered(nowMs: number): boolean {
    if (!this.#isOutstanding || this.#sentAtMs === undefined) return false;
    const sampleMs = nowMs - this.#sentAtMs;
    this.#isOutstanding = false;
    this.smoothedMs = this.smoothedMs === undefined ? sampleMs : (7 * this.smoothedMs + sampleMs) / 8;
    return true;
  }

  /** A lower bound of the round trip: the age of an unanswered Ping counts too, unless it exceeds `maxPingAgeMs`. */
  atLeastMs(nowMs: number, maxPingAgeMs: number): number {
    const knownMs = this.smoothedMs ?? 0;
    if (!this.#isOutstanding || this.#sentAtMs === undefined) return knownMs;
    const waitedMs = nowMs - this.#sentAtMs;
    return waitedMs < maxPingAgeMs ? Math.max(knownMs, waitedMs) : knownMs;
  }
}
