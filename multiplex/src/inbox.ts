import { release } from './buffer-tracking.ts';

/** The unread payloads of one channel; its credit keeps them within one window. */
export class Inbox {
  #chunks: Uint8Array[] = [];
  #first = 0;

  /** Appends one payload. */
  push(chunk: Uint8Array): void {
    const kept = compact(chunk);
    if (kept !== chunk) release(chunk);
    this.#chunks.push(kept);
  }

  /** Takes the oldest payload, undefined when there is none. */
  shift(): Uint8Array | undefined {
    const chunk = this.#chunks[this.#first];
    if (chunk === undefined) return undefined;
    this.#first += 1;
    // Removes taken payloads in batches: shifting an array one by one moves all that follow.
    if (this.#first >= 64 || this.#first === this.#chunks.length) {
      this.#chunks.splice(0, this.#first);
      this.#first = 0;
    }
    return chunk;
  }

  /** Drops everything. */
  clear(): void {
    for (const chunk of this.#chunks.slice(this.#first)) release(chunk);
    this.#chunks = [];
    this.#first = 0;
  }
}

/** Copies a small view, which would otherwise keep the whole network buffer behind it alive until it is read. */
function compact(chunk: Uint8Array): Uint8Array {
  return chunk.buffer.byteLength > 2 * chunk.byteLength + 64 ? new Uint8Array(chunk) : chunk;
}
