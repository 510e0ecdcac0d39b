import { amounts } from '../../limits/amounts.ts';

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
    return (
      this.#presentAtMs !== undefined && this.#nowMs() - this.#presentAtMs <= amounts.terminalWatch.max * 1000
    );
  }

  /** Whether nobody has watched for five minutes. */
  get isGone(): boolean {
    return !this.isPresent && this.#nowMs() - this.#sinceMs >= amounts.terminalUnwatched.max * 60_000;
  }
}
