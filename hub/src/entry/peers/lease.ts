/** Duration of a lease from when it was requested; the database counts the same duration from a later moment. */
const leaseMs = 15_000;

/** A node's view of its own lease by a monotonic clock; it ends here before it ends in the database. */
export class Lease {
  readonly #nowMs: () => number;
  #untilMs: number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#untilMs = nowMs();
  }

  /** Records that the database has renewed it on a request sent at this time. */
  renewed(requestedAtMs: number): void {
    this.#untilMs = requestedAtMs + leaseMs;
  }

  /** Records that it has ended. */
  lost(): void {
    this.#untilMs = Math.min(this.#untilMs, this.#nowMs());
  }

  /** Whether the node may act. */
  get isHeld(): boolean {
    return this.#nowMs() < this.#untilMs;
  }

  /** For how many milliseconds it has been lost; 0 while it is held. */
  get lostForMs(): number {
    return Math.max(0, this.#nowMs() - this.#untilMs);
  }
}
