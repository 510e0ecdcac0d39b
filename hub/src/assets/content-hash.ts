import { createHash } from 'node:crypto';
import { StorageError, type ExpectedContent } from './asset-storage.ts';

/** The size of the chunks whose digests are kept beside an asset, in bytes. */
export const chunkBytes = 1_048_576;

/** What a content hash computed. */
export interface HashedContent extends ExpectedContent {
  /** The SHA-256 of each MiB, joined. */
  readonly chunkDigests: Buffer;
}

/** Computes the SHA-256 of bytes and of each MiB of them. */
export interface ContentHash {
  /** How many bytes were added. */
  readonly sizeBytes: number;
  update(bytes: Uint8Array): void;
  /** Ends the hash. */
  finish(): HashedContent;
}

/** Builds a content hash. */
export function createContentHash(): ContentHash {
  const whole = createHash('sha256');
  const digests: Buffer[] = [];
  let chunk = createHash('sha256');
  let sizeBytes = 0;

  const addToChunk = (bytes: Uint8Array): void => {
    chunk.update(bytes);
    sizeBytes += bytes.length;
    if (sizeBytes % chunkBytes !== 0) return;
    digests.push(chunk.digest());
    chunk = createHash('sha256');
  };
  return {
    get sizeBytes() {
      return sizeBytes;
    },
    update(bytes) {
      whole.update(bytes);
      for (let start = 0; start < bytes.length;) {
        const end = start + Math.min(chunkBytes - (sizeBytes % chunkBytes), bytes.length - start);
        addToChunk(bytes.subarray(start, end));
        start = end;
      }
    },
    finish() {
      if (sizeBytes % chunkBytes !== 0) digests.push(chunk.digest());
      return { sizeBytes, digest: whole.digest(), chunkDigests: Buffer.concat(digests) };
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
