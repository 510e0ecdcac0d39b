import { availableParallelism } from 'node:os';
import { StorageError, type ExpectedContent } from './asset-storage.ts';
import { blockBytes, Blocks } from './Blocks.ts';
import { ChunkedHash } from './chunked-hash.ts';
import type { Digests } from './hash-messages.ts';
import { HashThread } from './HashThread.ts';

export { chunkBytes } from './chunk-size.ts';

/** What a content hash computed. */
export interface HashedContent extends ExpectedContent {
  /** The SHA-256 of each MiB, joined. */
  readonly chunkDigests: Buffer;
}

/** Computes the SHA-256 of bytes and of each MiB of them. */
export interface ContentHash {
  /** How many bytes were added. */
  readonly sizeBytes: number;
  /** Adds bytes, which may change afterwards. Resolves when more may come. */
  update(bytes: Uint8Array): Promise<void>;
  /** Adds a block of `Blocks` instead. Resolves when it may be used again. */
  addBlock(block: Uint8Array): Promise<void>;
  /** Ends the hash. */
  finish(): Promise<HashedContent>;
}

/** How the digests are computed. */
interface Sink {
  add(block: Uint8Array): Promise<void>;
  finish(): Promise<Digests>;
  /** Forgets a hash that nobody ends. */
  readonly drop: () => void;
}

let thread: HashThread | undefined;

/** Hashes that nobody ends, such as those of broken uploads, are forgotten once nobody knows them. */
const abandoned = new FinalizationRegistry<() => void>((drop) => drop());

/**
 * Builds a content hash. Where there are several processors, a thread of its own computes it, unless at most so few bytes are expected that
 * the way to the thread would take longer.
 */
export function createContentHash(expectedBytes = Infinity): ContentHash {
  const isHere = expectedBytes <= blockBytes || availableParallelism() === 1;
  const sink = isHere ? hashHere() : hashThere((thread ??= startThread()));
  const blocks = new Blocks((block) => sink.add(block), expectedBytes);
  let sizeBytes = 0;
  const hash: ContentHash = {
    get sizeBytes() {
      return sizeBytes;
    },
    update(bytes) {
      sizeBytes += bytes.length;
      return blocks.add(bytes);
    },
    addBlock(block) {
      sizeBytes += block.length;
      return sink.add(block);
    },
    async finish() {
      await blocks.flush();
      return { sizeBytes, ...(await sink.finish()) };
    },
  };
  abandoned.register(hash, sink.drop);
  return hash;
}

function hashHere(): Sink {
  const hash = new ChunkedHash();
  return {
    add: async (block) => hash.update(block),
    finish: async () => hash.finish(),
    drop: () => undefined,
  };
}

function hashThere(at: HashThread): Sink {
  const id = at.nextId();
  return {
    add: (block) => at.add(id, block),
    finish: () => at.finish(id),
    drop: () => at.drop(id),
  };
}

function startThread(): HashThread {
  const started = new HashThread(() => {
    if (thread === started) thread = undefined;
  });
  return started;
}

/** Hashes bytes; throws a StorageError at the first byte above `maxBytes`. */
export async function hashContent(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes = Infinity,
): Promise<HashedContent> {
  const hash = createContentHash(maxBytes);
  for await (const piece of bytes) {
    if (hash.sizeBytes + piece.length > maxBytes) throw tooManyBytes(maxBytes);
    await hash.update(piece);
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
