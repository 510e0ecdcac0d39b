import { availableParallelism } from 'node:os';
import { StorageError, type ExpectedContent } from './asset-storage.ts';
import { ChunkedHash } from './chunked-hash.ts';
import { hashInThread, type HashSink } from './hash-in-thread.ts';

export { chunkBytes } from './chunk-size.ts';

/** What a content hash computed. */
export interface HashedContent extends ExpectedContent {
  /** The SHA-256 of each MiB, joined. */
  readonly chunkDigests: Buffer;
}

/** Computes the SHA-256 of bytes and of each MiB of them. It keeps up to 512 KiB of the given bytes, so they must not change. */
export interface ContentHash {
  /** How many bytes were added. */
  readonly sizeBytes: number;
  /** Adds bytes. Where it returns a promise, more should come only once that has resolved. */
  update(bytes: Uint8Array): Promise<void> | undefined;
  /** Ends the hash. */
  finish(): Promise<HashedContent>;
}

/** Hashes that nobody ends, such as those of broken uploads, are forgotten once nobody knows them. */
const abandoned = new FinalizationRegistry<() => void>((drop) => drop());

/** Builds a content hash. What is larger than 512 KiB is hashed by a thread of its own where there are several processors. */
export function createContentHash(): ContentHash {
  const sink = availableParallelism() === 1 ? hashHere() : hashInThread();
  let sizeBytes = 0;
  const hash: ContentHash = {
    get sizeBytes() {
      return sizeBytes;
    },
    update(bytes) {
      sizeBytes += bytes.length;
      return sink.update(bytes);
    },
    finish: async () => ({ sizeBytes, ...(await sink.finish()) }),
  };
  abandoned.register(hash, sink.drop);
  return hash;
}

function hashHere(): HashSink {
  const hash = new ChunkedHash();
  return {
    update: (bytes) => void hash.update(bytes),
    finish: async () => hash.finish(),
    drop: () => undefined,
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
    // A reader uses its buffers again.
    await hash.update(Buffer.from(piece));
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
