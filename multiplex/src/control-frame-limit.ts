/** A bucket of permitted control frames: `perSecond` flow in, two seconds' worth fit. */
export class ControlFrameLimit {
  readonly #perSecond: number;
  #tokens: number;
  #filledAtMs: number;

  /** Starts full. */
  constructor(perSecond: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#tokens = 2 * perSecond;
    this.#filledAtMs = nowMs;
  }

  /** Counts more against the rate than the frame itself; what comes next is judged by it. */
  charge(frames: number): void {
    this.#tokens -= frames;
  }

  /** Takes one frame out; false when the bucket is empty. */
  take(nowMs: number): boolean {
    const inflow = ((nowMs - this.#filledAtMs) * this.#perSecond) / 1000;
    this.#tokens = Math.min(2 * this.#perSecond, this.#tokens + inflow);
    this.#filledAtMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
