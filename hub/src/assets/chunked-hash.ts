import { createHash } from 'node:crypto';
import { chunkBytes } from './chunk-size.ts';

/** The SHA-256 of bytes and of each MiB of them, computed in this thread. */
export class ChunkedHash {
  readonly #whole = createHash('sha256');
  readonly #digests: Buffer[] = [];
  #chunk = createHash('sha256');
  #sizeBytes = 0;

  update(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length;) {
      const inChunk = this.#sizeBytes % chunkBytes;
      const piece = bytes.subarray(start, start + chunkBytes - inChunk);
      this.#whole.update(piece);
      // The first chunk is the whole until it ends.
      if (this.#digests.length > 0) this.#chunk.update(piece);
      start += piece.length;
      this.#sizeBytes += piece.length;
      if (inChunk + piece.length === chunkBytes) this.#endChunk();
    }
  }

  /** Ends the hash. */
  finish(): { readonly digest: Buffer; readonly chunkDigests: Buffer } {
    if (this.#sizeBytes % chunkBytes > 0) this.#endChunk();
    return { digest: this.#whole.digest(), chunkDigests: Buffer.concat(this.#digests) };
  }

  #endChunk(): void {
    const isFirst = this.#digests.length === 0;
    this.#digests.push((isFirst ? this.#whole.copy() : this.#chunk).digest());
    this.#chunk = createHash('sha256');
  }
}
