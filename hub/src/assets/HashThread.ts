import { AnsweringThread } from './AnsweringThread.ts';
import type { Digests, FromThread, ToThread } from './hash-messages.ts';

/** What a client is told whose upload was being hashed. */
const interrupted = 'The hub had to interrupt the check of these bytes. Send them again.';

/** A thread that hashes contents, so that the event loop, the hash and the disk work at the same time. */
export class HashThread {
  readonly #thread: AnsweringThread<ToThread, FromThread>;
  #lastId = 0;

  /** `onEnd` is called if the thread ends by itself. */
  constructor(onEnd: () => void) {
    this.#thread = new AnsweringThread(new URL('./hash-thread.ts', import.meta.url), interrupted, onEnd);
  }

  /** A number for another hash. */
  nextId(): number {
    return (this.#lastId += 1);
  }

  /** Adds bytes to a hash. Resolves once they may change, if their memory is shared; otherwise they are copied. */
  async add(id: number, bytes: Uint8Array): Promise<void> {
    await this.#thread.ask({ kind: 'block', id, bytes });
  }

  /** Ends a hash. Rejects if the thread has ended meanwhile. */
  async finish(id: number): Promise<Digests> {
    const answer = await this.#thread.ask({ kind: 'end', id });
    const { digest, chunkDigests } = answer as Exclude<FromThread, string>;
    return { digest: Buffer.from(digest), chunkDigests: Buffer.from(chunkDigests) };
  }

  /** Forgets a hash. */
  drop(id: number): void {
    this.#thread.tell({ kind: 'drop', id });
  }
}
