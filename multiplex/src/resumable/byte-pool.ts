/** Memory that the streams of one process share, beyond what each of them may always use. */
export class BytePool {
  #freeBytes: number;

  constructor(sizeBytes: number) {
    this.#freeBytes = sizeBytes;
  }

  /** Takes so many bytes; false, and nothing is taken, when there are not as many. */
  take(sizeBytes: number): boolean {
    if (this.#freeBytes < sizeBytes) return false;
    this.#freeBytes -= sizeBytes;
    return true;
  }

  /** Gives bytes back. */
  give(sizeBytes: number): void {
    this.#freeBytes += sizeBytes;
  }
}

/** What each direction of a stream may always use. */
export const initialWindowBytes = 262_144;
/** What one direction of a stream may use at most. */
export const maxWindowBytes = 4_194_304;

/** How many bytes one direction of a stream may hold: it doubles while the pool suffices. */
export class PooledWindow {
  readonly #pool: BytePool;
  sizeBytes = initialWindowBytes;

  constructor(pool: BytePool) {
    this.#pool = pool;
  }

  /** Doubles the window; does nothing at its maximum and while the pool is used up. */
  grow(): void {
    if (this.sizeBytes < maxWindowBytes && this.#pool.take(this.sizeBytes)) this.sizeBytes *= 2;
  }

  /** Gives everything back that it took. */
  close(): void {
    this.#pool.give(this.sizeBytes - initialWindowBytes);
    this.sizeBytes = initialWindowBytes;
  }
}
