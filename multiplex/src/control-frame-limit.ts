/** A token bucket for control frames: it refills with `perSecond` tokens a second and holds two seconds' worth. */
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

  /** Takes more tokens than the frame itself cost; the debt counts against the next frames. */
  charge(frames: number): void {
    this.#tokens -= frames;
  }

  /** Takes one token; false when there is none. */
  take(nowMs: number): boolean {
    const inflow = ((nowMs - this.#filledAtMs) * this.#perSecond) / 1000;
    this.#tokens = Math.min(2 * this.#perSecond, this.#tokens + inflow);
    this.#filledAtMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
