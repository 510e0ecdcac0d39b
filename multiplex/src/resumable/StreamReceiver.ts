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

/** A window that is consumed within this time is too small. */
const fastWindowMs = 1_000;

/**
 * The receiving direction of a stream. It always reads the channel, so that acknowledgements never wait behind data that the program does not read, and buffers that data up to
 * the limit that it gave to the other side.
 */
export class StreamReceiver {
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
  /** The position and time at which the current measurement of the reading speed began. */
  #measuredFrom = 0;
  #measuredSinceMs: number;
  /** No bytes follow: the stream has ended, or is reset. */
  #isStopped = false;
  /** Whether the end has been received. */
  hasEnded = false;

  /** `onConsumed` is called when the program has taken bytes asynchronously. */
  constructor(pool: BytePool, now: () => number, onConsumed: () => void) {
    this.#window = new PooledWindow(pool);
    this.#now = now;
    this.#measuredSinceMs = now();
    this.#onConsumed = onConsumed;
  }

  /** See `Channel.drain`. */
  drain(onChunk: ChunkHandler): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#drain = { onChunk, resolve, reject };
    this.#deliver();
    return promise;
  }

  /** Takes ownership of received bytes. Throws ProtocolViolation. */
  onData(bytes: Uint8Array): void {
    if (this.hasEnded) throw new ProtocolViolation('data after the end of a stream');
    if (this.#receivedTo + bytes.length > this.#limit)
      throw new ProtocolViolation('data beyond the limit of a stream');
    this.#receivedTo += bytes.length;
    if (this.#isStopped) return release(bytes);
    if (this.#drain === undefined || this.#isBusy || this.#inbox.sizeBytes > 0) this.#inbox.push(bytes);
    else this.#handOver(this.#drain, bytes);
  }

  /** Receives the end of the direction. Throws ProtocolViolation. */
  onEnd(): void {
    if (this.hasEnded) throw new ProtocolViolation('second end of a stream');
    this.hasEnded = true;
    this.stop();
  }

  /** Takes no more bytes; those received are still delivered. */
  stop(): void {
    this.#isStopped = true;
    this.#deliver();
  }

  /** Drops the bytes that are not delivered. */
  abort(): void {
    this.#inbox.clear();
    this.stop();
  }

  /** Whether enough was received or consumed to acknowledge at once. */
  get isAckDue(): boolean {
    const dueBytes = this.#window.sizeBytes / 4;
    return (
      (this.hasEnded && this.unacknowledgedBytes > 0) ||
      this.unacknowledgedBytes >= dueBytes ||
      this.#nextLimit - this.#limit >= dueBytes
    );
  }

  /** The received bytes that are not acknowledged; the end counts as a byte. */
  get unacknowledgedBytes(): number {
    return this.#position - this.#ackedTo;
  }

  /** The receipt to be sent; the bytes in it count as acknowledged. */
  takeReceipt(): Receipt {
    this.#growIfFast();
    this.#limit = Math.max(this.#limit, this.#nextLimit);
    this.#ackedTo = this.#position;
    return { receivedTo: this.#position, limit: this.#limit };
  }

  /** Releases its share of the pool. */
  close(): void {
    this.#window.reset();
  }

  /** A sender that the limit holds up sends one window per round trip, so a window that is consumed within a second doubles. */
  #growIfFast(): void {
    const isFast = this.#now() - this.#measuredSinceMs < fastWindowMs;
    const isConsumed = this.#consumedTo - this.#measuredFrom >= this.#window.sizeBytes;
    if (isFast && !isConsumed) return;
    if (isFast) this.#window.grow();
    this.#measuredFrom = this.#consumedTo;
    this.#measuredSinceMs = this.#now();
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
      else if (this.#isStopped) return this.#finish(this.#drain);
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
