import { Worker } from 'node:worker_threads';
import { StorageError } from './asset-storage.ts';
import type { Digests, FromThread, ToThread } from './hash-messages.ts';

/** What a client is told whose upload was being hashed. */
const interrupted = 'The hub had to interrupt the check of these bytes. Send them again.';

/** A thread that hashes contents, so that the event loop, the hash and the disk work at the same time. */
export class HashThread {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<FromThread>[] = [];
  #lastId = 0;
  #failure: StorageError | undefined;

  /** `onEnd` is called if the thread ends by itself. */
  constructor(onEnd: () => void) {
    // Without the options of this process, which may load modules that are not meant for a thread.
    this.#worker = new Worker(new URL('./hash-thread.ts', import.meta.url), { execArgv: [], env: {} });
    this.#worker.on('message', (message: FromThread) => this.#waiting.shift()?.resolve(message));
    const end = (cause: unknown): void => {
      this.#failure ??= new StorageError('Unreachable', interrupted, { cause });
      for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
      onEnd();
    };
    this.#worker.on('error', end).on('exit', end);
    this.#worker.unref();
  }

  /** A number for another hash. */
  nextId(): number {
    return (this.#lastId += 1);
  }

  /** Adds bytes to a hash. Resolves once they may change, if their memory is shared; otherwise they are copied. */
  async add(id: number, bytes: Uint8Array): Promise<void> {
    await this.#ask({ kind: 'block', id, bytes });
  }

  /** Ends a hash. Rejects if the thread has ended meanwhile. */
  async finish(id: number): Promise<Digests> {
    const { digest, chunkDigests } = (await this.#ask({ kind: 'end', id })) as Exclude<FromThread, string>;
    return { digest: Buffer.from(digest), chunkDigests: Buffer.from(chunkDigests) };
  }

  /** Forgets a hash. */
  drop(id: number): void {
    this.#worker.postMessage({ kind: 'drop', id } satisfies ToThread);
  }

  #ask(message: ToThread): Promise<FromThread> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const waiting = Promise.withResolvers<FromThread>();
    this.#waiting.push(waiting);
    this.#worker.postMessage(message);
    return waiting.promise;
  }
}
