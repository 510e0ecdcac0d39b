const presentMs = 10_000;
const goneMs = 300_000;

/** Whether somebody who may approve a terminal watches it. */
export class SecondPerson {
  readonly #nowMs: () => number;
  #presentAtMs: number | undefined;
  #sinceMs: number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  /** Notes that an approver sees the terminal. */
  present(): void {
    this.#presentAtMs = this.#nowMs();
    this.#sinceMs = this.#presentAtMs;
  }

  /** Notes that the last approver has left. */
  left(): void {
    this.#presentAtMs = undefined;
  }

  get isPresent(): boolean {
    return this.#presentAtMs !== undefined && this.#nowMs() - this.#presentAtMs <= presentMs;
  }

  /** Whether nobody has watched for five minutes. */
  get isGone(): boolean {
    return !this.isPresent && this.#nowMs() - this.#sinceMs >= goneMs;
  }
}
