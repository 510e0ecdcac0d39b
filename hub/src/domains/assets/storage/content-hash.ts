import { createHash } from 'node:crypto';
import { StorageError, type ExpectedContent } from './asset-storage.ts';

/** The size of the chunks whose digests are kept beside an asset, in bytes. */
export const chunkBytes = 1_048_576;

/** What a content hash computed. */
export interface HashedContent extends ExpectedContent {
  /** The SHA-256 of each MiB, joined. */
  readonly chunkDigests: Buffer;
}

/** The SHA-256 of bytes and of each MiB of them. It is computed in the event loop, in which the pieces of a socket take less than 0.1 ms each. */
export class ContentHash {
  readonly #whole = createHash('sha256');
  readonly #digests: Buffer[] = [];
  #chunk = createHash('sha256');
  #sizeBytes = 0;

  /** How many bytes were added. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

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
  finish(): HashedContent {
    if (this.#sizeBytes % chunkBytes > 0) this.#endChunk();
    return {
      sizeBytes: this.#sizeBytes,
      digest: this.#whole.digest(),
      chunkDigests: Buffer.concat(this.#digests),
    };
  }

  #endChunk(): void {
    const isFirst = this.#digests.length === 0;
    this.#digests.push((isFirst ? this.#whole.copy() : this.#chunk).digest());
    this.#chunk = createHash('sha256');
  }
}

/** Hashes bytes; throws a StorageError at the first byte above `maxBytes`. */
export async function hashContent(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes = Infinity,
): Promise<HashedContent> {
  const hash = new ContentHash();
  for await (const piece of bytes) {
    if (hash.sizeBytes + piece.length > maxBytes) throw tooManyBytes(maxBytes);
    hash.update(piece);
  }
  return hash.finish();
}

/** The error for content that goes on behind its announced size. */
function tooManyBytes(expectedBytes: number): StorageError {
  return new StorageError('SizeMismatch', `There are more than the announced ${expectedBytes} bytes.`);
}

/** Throws a StorageError, with both values, unless the content is the expected one. */
export function mustMatch(content: ExpectedContent, expected: ExpectedContent): void {
  if (content.sizeBytes !== expected.sizeBytes)
    throw new StorageError(
      'SizeMismatch',
      `There are ${content.sizeBytes} bytes instead of the announced ${expected.sizeBytes}.`,
    );
  if (!content.digest.equals(expected.digest))
    throw new StorageError(
      'DigestMismatch',
      `The bytes have the digest sha256_${content.digest.toString('hex')} instead of the announced sha256_${expected.digest.toString('hex')}.`,
    );
}
