/**
 * Lets so many at once through, and nobody while the hub has asked to be left alone: one refusal is heard by the whole fleet,
 * so that thousands of new devices do not each learn it by being refused themselves.
 */
export class ConnectSemaphore {
  readonly #places: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;
  #closedUntilMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(places: number) {
    this.#places = places;
  }

  /** Waits for a place, does the work in it, and frees it. Rejected when the signal aborts before its turn, or as the work is. */
  async through<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      this.#letIn();
    }
  }

  /** Lets nobody in for so long from now. */
  close(durationMs: number): void {
    this.#closedUntilMs = Math.max(this.#closedUntilMs, performance.now() + durationMs);
  }

  async #enter(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      const at = this.#waiting.indexOf(resolve);
      if (at >= 0) this.#waiting.splice(at, 1);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.push(resolve);
    this.#letIn();
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #letIn(): void {
    const leftMs = this.#closedUntilMs - performance.now();
    if (leftMs > 0 && this.#waiting.length > 0) return this.#letInLater(leftMs);
    while (this.#inside < this.#places) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#inside += 1;
      next();
    }
  }

  #letInLater(durationMs: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#letIn();
    }, durationMs).unref();
  }
}
