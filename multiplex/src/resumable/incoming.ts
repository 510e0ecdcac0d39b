import { release } from '../buffer-tracking.ts';
import type { ChunkHandler } from '../channel.ts';
import { ProtocolViolation } from '../errors.ts';
import { ByteQueue } from './byte-queue.ts';
import { initialWindowBytes, PooledWindow, type BytePool } from './byte-pool.ts';
import type { Receipt } from './stream-frames.ts';

interface Drain {
  readonly onChunk: ChunkHandler;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A window that is taken within this time is too small. */
const fastMs = 1_000;

/**
 * The receiving direction of a stream. The channel beneath is always read, so that what the other side acknowledges never waits behind data that nobody takes; what is not
 * taken yet is kept here, within the limit that the other side was given.
 */
export class Incoming {
  readonly #inbox = new ByteQueue();
  readonly #window: PooledWindow;
  readonly #now: () => number;
  readonly #onConsumed: () => void;
  #drain: Drain | undefined;
  /** The promise of the last `onChunk` is pending. */
  #isBusy = false;
  #receivedTo = 0;
  #consumedTo = 0;
  #ackedTo = 0;
  #limit = initialWindowBytes;
  /** From where, and since when, the bytes are counted that make the window grow. */
  #countedFrom = 0;
  #countedSinceMs: number;
  /** Nothing follows: the stream has ended, or is reset. */
  #isOver = false;
  /** Whether the end has been received. */
  hasEnded = false;

  /** `onConsumed` is called when bytes were taken that had to wait. */
  constructor(pool: BytePool, now: () => number, onConsumed: () => void) {
    this.#window = new PooledWindow(pool);
    this.#now = now;
    this.#countedSinceMs = now();
    this.#onConsumed = onConsumed;
  }

  /** See `Channel.drain`. */
  drain(onChunk: ChunkHandler): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#drain = { onChunk, resolve, reject };
    this.#deliver();
    return promise;
  }

  /** Receives bytes, which it owns. Throws ProtocolViolation. */
  data(bytes: Uint8Array): void {
    if (this.hasEnded) throw new ProtocolViolation('data after the end of a stream');
    if (this.#receivedTo + bytes.length > this.#limit)
      throw new ProtocolViolation('data beyond the limit of a stream');
    this.#receivedTo += bytes.length;
    if (this.#isOver) return release(bytes);
    if (this.#drain === undefined || this.#isBusy || this.#inbox.sizeBytes > 0) this.#inbox.push(bytes);
    else this.#handOver(this.#drain, bytes);
  }

  /** Receives the end. Throws ProtocolViolation. */
  end(): void {
    if (this.hasEnded) throw new ProtocolViolation('second end of a stream');
    this.hasEnded = true;
    this.stop();
  }

  /** Nothing follows; what was received is still delivered. */
  stop(): void {
    this.#isOver = true;
    this.#deliver();
  }

  /** Drops what is not delivered. */
  abort(): void {
    this.#inbox.clear();
    this.stop();
  }

  /** Whether enough has been received or taken to tell the other side at once. */
  get isReceiptDue(): boolean {
    const dueBytes = this.#window.sizeBytes / 4;
    return (
      (this.hasEnded && this.newsBytes > 0) ||
      this.newsBytes >= dueBytes ||
      this.#nextLimit - this.#limit >= dueBytes
    );
  }

  /** How much was received that the other side does not know of yet; its end counts as a byte. */
  get newsBytes(): number {
    return this.#position - this.#ackedTo;
  }

  /** What to tell the other side, and that it is told. */
  takeReceipt(): Receipt {
    this.#growIfFast();
    this.#limit = Math.max(this.#limit, this.#nextLimit);
    this.#ackedTo = this.#position;
    return { receivedTo: this.#position, limit: this.#limit };
  }

  /** Gives back its memory. */
  close(): void {
    this.#window.close();
  }

  /** A sender that waits for the limit sends a window in each round trip: less than a second. */
  #growIfFast(): void {
    const isFast = this.#now() - this.#countedSinceMs < fastMs;
    const hasTaken = this.#consumedTo - this.#countedFrom >= this.#window.sizeBytes;
    if (isFast && !hasTaken) return;
    if (isFast) this.#window.grow();
    this.#countedFrom = this.#consumedTo;
    this.#countedSinceMs = this.#now();
  }

  get #position(): number {
    return this.#receivedTo + (this.hasEnded ? 1 : 0);
  }

  get #nextLimit(): number {
    return this.#consumedTo + this.#window.sizeBytes;
  }

  #deliver(): void {
    while (this.#drain !== undefined && !this.#isBusy) {
      const bytes = this.#inbox.shift();
      if (bytes !== undefined) this.#handOver(this.#drain, bytes);
      else if (this.#isOver) return this.#finish(this.#drain);
      else return;
    }
  }

  #finish(drain: Drain): void {
    this.#drain = undefined;
    drain.resolve();
  }

  #handOver(drain: Drain, bytes: Uint8Array): void {
    // The handler may release the bytes, which empties them.
    const sizeBytes = bytes.length;
    const waiting = drain.onChunk(bytes);
    if (waiting === undefined) return void (this.#consumedTo += sizeBytes);
    this.#isBusy = true;
    waiting.then(
      () => {
        this.#isBusy = false;
        this.#consumedTo += sizeBytes;
        this.#deliver();
        this.#onConsumed();
      },
      (error: unknown) => {
        this.#drain = undefined;
        drain.reject(error);
      },
    );
  }
}
