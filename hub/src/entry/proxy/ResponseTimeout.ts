import type { ProxyFailure } from './ProxyFailure.ts';

/** A request without a response yet. */
export interface PendingResponse {
  /** The deadline by the clock; it moves as long as the device accepts data. */
  deadlineMs(): number;
  /** The failure at the deadline. */
  timeoutFailure(): ProxyFailure;
}

/** Aborts a stream when a response is late. One timer is kept across requests, since setting one for each request is costly. */
export class ResponseTimeout {
  readonly #nowMs: () => number;
  readonly #abort: (failure: ProxyFailure) => void;
  #pending: PendingResponse | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(nowMs: () => number, abort: (failure: ProxyFailure) => void) {
    this.#nowMs = nowMs;
    this.#abort = abort;
  }

  /** Starts waiting for a response. */
  begin(pending: PendingResponse): void {
    this.#pending = pending;
    if (this.#timer === undefined) this.#check();
  }

  /** The response has come. */
  end(): void {
    this.#pending = undefined;
  }

  /** Clears the timer when the stream closes. */
  stop(): void {
    this.#pending = undefined;
    clearTimeout(this.#timer);
  }

  #check(): void {
    this.#timer = undefined;
    if (this.#pending === undefined) return;
    const remainingMs = this.#pending.deadlineMs() - this.#nowMs();
    if (remainingMs > 0) this.#timer = setTimeout(() => this.#check(), remainingMs);
    else this.#abort(this.#pending.timeoutFailure());
  }
}
