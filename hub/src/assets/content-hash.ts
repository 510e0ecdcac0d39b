import { Worker } from 'node:worker_threads';
import { StorageError, type ExpectedContent } from './asset-storage.ts';
import { ChunkedHash } from './chunked-hash.ts';
import type { FromHashWorker, ToHashWorker } from './hash-worker.ts';

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
  /** Ends the hash. */
  finish(): Promise<HashedContent>;
}

/** What is not larger is hashed at once: the way to the thread would take longer. */
const smallBytes = 262_144;

/** The thread that hashes large contents, since two digests of a GiB take more than a second, in which the event loop serves others. */
let thread: HashThread | undefined;

/** Hashes that nobody ends, such as those of broken uploads, are forgotten once nobody knows them. */
const abandoned = new FinalizationRegistry<() => void>((drop) => drop());

/** Builds a content hash. `expectedBytes` is how many will come at most. */
export function createContentHash(expectedBytes = Infinity): ContentHash {
  return expectedBytes <= smallBytes ? hashHere() : hashInThread((thread ??= new HashThread()));
}

function hashHere(): ContentHash {
  const hash = new ChunkedHash();
  let sizeBytes = 0;
  return {
    get sizeBytes() {
      return sizeBytes;
    },
    async update(bytes) {
      sizeBytes += bytes.length;
      hash.update(bytes);
    },
    finish: async () => ({ sizeBytes, ...hash.finish() }),
  };
}

function hashInThread(at: HashThread): ContentHash {
  const id = at.nextId();
  let sizeBytes = 0;
  const hash: ContentHash = {
    get sizeBytes() {
      return sizeBytes;
    },
    async update(bytes) {
      sizeBytes += bytes.length;
      await at.ask({ id, step: new Uint8Array(bytes) });
    },
    async finish() {
      const answer = await at.ask({ id, step: 'end' });
      const { digest, chunkDigests } = answer as Exclude<FromHashWorker, string>;
      return { sizeBytes, digest: Buffer.from(digest), chunkDigests: Buffer.from(chunkDigests) };
    },
  };
  abandoned.register(hash, () => at.tell({ id, step: 'drop' }));
  return hash;
}

class HashThread {
  // Without the options of this process, which may load modules that are not meant for a thread.
  readonly #worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { execArgv: [], env: {} });
  readonly #waiting: PromiseWithResolvers<FromHashWorker>[] = [];
  #failure: StorageError | undefined;
  #lastId = 0;

  constructor() {
    const end = (cause: unknown): void => {
      const sentence = 'The hub had to interrupt the check of these bytes. Send them again.';
      this.#failure ??= new StorageError('Unreachable', sentence, { cause });
      for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
      if (thread === this) thread = undefined;
    };
    this.#worker.on('message', (answer: FromHashWorker) => this.#waiting.shift()?.resolve(answer));
    this.#worker.on('error', end).on('exit', end).unref();
  }

  nextId(): number {
    return (this.#lastId += 1);
  }

  /** Resolves with the answer; rejects with a StorageError if the thread ends before. */
  ask(message: ToHashWorker): Promise<FromHashWorker> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const waiting = Promise.withResolvers<FromHashWorker>();
    this.#waiting.push(waiting);
    this.tell(message);
    return waiting.promise;
  }

  /** Sends what has no answer. The memory of bytes goes to the thread. */
  tell(message: ToHashWorker): void {
    this.#worker.postMessage(
      message,
      typeof message.step === 'object' ? [message.step.buffer as ArrayBuffer] : [],
    );
  }
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
