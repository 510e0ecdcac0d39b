/** Limits how many devices connect at once, and pauses the whole fleet during a Retry-After of the hub. */
export class ConnectSemaphore {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #activeCount = 0;
  #pausedUntilMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Waits for a permit, runs the work, and releases the permit. Rejected when the signal aborts before, or as the work is. */
  async run<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await this.#acquire(signal);
    try {
      return await work();
    } finally {
      this.#activeCount -= 1;
      this.#startNext();
    }
  }

  /** Starts no work for this long from now. */
  pause(durationMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, performance.now() + durationMs);
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      const at = this.#waiting.indexOf(resolve);
      if (at >= 0) this.#waiting.splice(at, 1);
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(resolve);
    this.#startNext();
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #startNext(): void {
    const leftMs = this.#pausedUntilMs - performance.now();
    if (leftMs > 0 && this.#waiting.length > 0) return this.#startLater(leftMs);
    while (this.#activeCount < this.#limit) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#activeCount += 1;
      next();
    }
  }

  #startLater(durationMs: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#startNext();
    }, durationMs).unref();
  }
}
