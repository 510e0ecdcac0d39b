import { createHash } from 'node:crypto';
import { StorageError, type ExpectedContent } from './asset-storage.ts';
import { chunkBytes } from './chunk-size.ts';
import { hashChunk } from './hash-chunk.ts';

export { chunkBytes } from './chunk-size.ts';

/** What a content hash computed. */
export interface HashedContent extends ExpectedContent {
  /** The SHA-256 of each MiB, joined. */
  readonly chunkDigests: Buffer;
}

/** Computes the SHA-256 of bytes and of each MiB of them. It keeps up to 1 MiB of the given bytes, so they must not change. */
export interface ContentHash {
  /** How many bytes were added. */
  readonly sizeBytes: number;
  update(bytes: Uint8Array): void;
  /** Ends the hash. */
  finish(): Promise<HashedContent>;
}

/** Builds a content hash. */
export function createContentHash(): ContentHash {
  const whole = createHash('sha256');
  const digests: Promise<Buffer>[] = [];
  let chunk: Uint8Array[] = [];
  let sizeBytes = 0;

  const endChunk = (): void => {
    digests.push(hashChunk(chunk, sizeBytes % chunkBytes || chunkBytes));
    chunk = [];
  };
  return {
    get sizeBytes() {
      return sizeBytes;
    },
    update(bytes) {
      whole.update(bytes);
      for (let start = 0; start < bytes.length;) {
        const end = start + Math.min(chunkBytes - (sizeBytes % chunkBytes), bytes.length - start);
        chunk.push(bytes.subarray(start, end));
        sizeBytes += end - start;
        start = end;
        if (sizeBytes % chunkBytes === 0) endChunk();
      }
    },
    async finish() {
      if (chunk.length > 0) endChunk();
      return { sizeBytes, digest: whole.digest(), chunkDigests: Buffer.concat(await Promise.all(digests)) };
    },
  };
}

/** Hashes bytes; throws a StorageError at the first byte above `maxBytes`. */
export async function hashContent(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes = Infinity,
): Promise<HashedContent> {
  const hash = createContentHash();
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
