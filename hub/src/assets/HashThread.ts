import { Worker } from 'node:worker_threads';
import { slotBytes, type Digests, type FromThread, type ToThread } from './hash-messages.ts';

const slotCount = 32;

/**
 * A thread that hashes contents, so that the event loop, the hash and the disk work at the same time. Bytes are copied into slots of shared
 * memory, which are taken only for the moment of their hash.
 */
export class HashThread {
  readonly #memory = new SharedArrayBuffer(slotCount * slotBytes);
  readonly #freeSlots = Array.from({ length: slotCount }, (_, slot) => slot);
  readonly #waiting: PromiseWithResolvers<number>[] = [];
  readonly #ending = new Map<number, PromiseWithResolvers<Digests>>();
  readonly #worker: Worker;
  #lastId = 0;
  #failure: Error | undefined;

  /** `onEnd` is called if the thread ends by itself. */
  constructor(onEnd: () => void) {
    // Without the options of this process, which may load modules that are not meant for a thread.
    const options = { workerData: this.#memory, execArgv: [], env: {} };
    this.#worker = new Worker(new URL('./hash-thread.ts', import.meta.url), options);
    this.#worker.on('message', (message: FromThread) => this.#take(message));
    const end = (error: unknown): void => {
      this.#fail(new Error('The thread that hashes has ended.', { cause: error }));
      onEnd();
    };
    this.#worker.on('error', end).on('exit', end);
    this.#worker.unref();
  }

  /** A number for another hash. */
  nextId(): number {
    return (this.#lastId += 1);
  }

  /** A free slot, if there is one. */
  takeSlot(): number | undefined {
    return this.#waiting.length === 0 ? this.#freeSlots.pop() : undefined;
  }

  /** Resolves with the next free slot. */
  waitForSlot(): Promise<number> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const slot = this.takeSlot();
    if (slot !== undefined) return Promise.resolve(slot);
    const waiting = Promise.withResolvers<number>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  /** Adds bytes to a hash, at most `slotBytes`; they may change afterwards. */
  add(id: number, slot: number, pieces: readonly Uint8Array[]): void {
    const room = new Uint8Array(this.#memory, slot * slotBytes, slotBytes);
    let sizeBytes = 0;
    for (const piece of pieces) {
      room.set(piece, sizeBytes);
      sizeBytes += piece.length;
    }
    this.#tell({ kind: 'block', id, slot, sizeBytes });
  }

  /** Ends a hash. Rejects if the thread has ended meanwhile. */
  finish(id: number): Promise<Digests> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const ending = Promise.withResolvers<Digests>();
    this.#ending.set(id, ending);
    this.#tell({ kind: 'end', id });
    return ending.promise;
  }

  /** Forgets a hash. */
  drop(id: number): void {
    this.#tell({ kind: 'drop', id });
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #take(message: FromThread): void {
    if ('slot' in message) {
      const next = this.#waiting.shift();
      if (next === undefined) this.#freeSlots.push(message.slot);
      else next.resolve(message.slot);
      return;
    }
    const { id, digest, chunkDigests } = message;
    this.#ending.get(id)?.resolve({ digest: Buffer.from(digest), chunkDigests: Buffer.from(chunkDigests) });
    this.#ending.delete(id);
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    for (const { reject } of [...this.#waiting.splice(0), ...this.#ending.values()]) reject(this.#failure);
    this.#ending.clear();
  }
}
