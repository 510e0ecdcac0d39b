/** How long a lease lasts from the moment it was asked for; the database counts as long, but from a later moment. */
const leaseMs = 15_000;

/** What a node knows of its own lease by a clock that never jumps: it counts itself out before anybody else does. */
export class Lease {
  readonly #nowMs: () => number;
  #untilMs: number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#untilMs = nowMs();
  }

  /** The database has prolonged it, after it was asked at this time. */
  prolonged(askedAtMs: number): void {
    this.#untilMs = askedAtMs + leaseMs;
  }

  /** It is known to be over. */
  lost(): void {
    this.#untilMs = Math.min(this.#untilMs, this.#nowMs());
  }

  /** Whether the node may act. */
  get isHeld(): boolean {
    return this.#nowMs() < this.#untilMs;
  }

  /** For how many milliseconds it has been over; 0 while it is held. */
  get lostForMs(): number {
    return Math.max(0, this.#nowMs() - this.#untilMs);
  }
}
