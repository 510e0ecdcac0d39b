/** A memory budget that the streams of a process share, in addition to the initial windows. */
export class BytePool {
  #freeBytes: number;

  constructor(sizeBytes: number) {
    this.#freeBytes = sizeBytes;
  }

  /** Reserves bytes; returns false, and reserves none, when fewer are free. */
  reserve(sizeBytes: number): boolean {
    if (this.#freeBytes < sizeBytes) return false;
    this.#freeBytes -= sizeBytes;
    return true;
  }

  /** Releases reserved bytes. */
  release(sizeBytes: number): void {
    this.#freeBytes += sizeBytes;
  }
}

/** The window that each direction of a stream always has. */
export const initialWindowBytes = 262_144;
/** The largest window of one direction of a stream. */
export const maxWindowBytes = 4_194_304;

/** The most bytes that one direction of a stream may hold; it grows while the pool has free bytes. */
export class PooledWindow {
  readonly #pool: BytePool;
  sizeBytes = initialWindowBytes;

  constructor(pool: BytePool) {
    this.#pool = pool;
  }

  /** Doubles the window, unless it has its maximum or the pool is exhausted. */
  grow(): void {
    if (this.sizeBytes < maxWindowBytes && this.#pool.reserve(this.sizeBytes)) this.sizeBytes *= 2;
  }

  /** Returns to the initial window and releases the rest to the pool. */
  reset(): void {
    this.#pool.release(this.sizeBytes - initialWindowBytes);
    this.sizeBytes = initialWindowBytes;
  }
}
