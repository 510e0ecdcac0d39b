import { ChannelClosure, ProtocolViolation } from '../errors.ts';
import { ByteQueue } from './byte-queue.ts';
import { initialWindowBytes, PooledWindow, type BytePool } from './byte-pool.ts';
import type { Carrier } from './carrier.ts';
import { encodeEnd, type Receipt } from './stream-frames.ts';

/** The most bytes of a data frame, so that the channels of a connection alternate. */
const maxDataBytes = 65_536;

/** The sending direction of a stream: keeps its bytes until the other side has received them. */
export class StreamSender {
  readonly #queue = new ByteQueue();
  readonly #window: PooledWindow;
  #carrier: Carrier | undefined;
  /** The position up to which the other side accepts bytes. */
  #limit = initialWindowBytes;
  /** The highest position that was sent over any channel. */
  #sentTo = 0;
  /** Whether the last write to the channel is pending. */
  #isBusy = false;
  #isEnded = false;
  #isEndSent = false;
  #isFailed = false;
  #writable: PromiseWithResolvers<void> | undefined;
  /** Whether the other side has received everything and the end. */
  isReceived = false;

  constructor(pool: BytePool) {
    this.#window = new PooledWindow(pool);
  }

  /** How many bytes it keeps. */
  get heldBytes(): number {
    return this.#queue.sizeBytes;
  }

  /** Takes ownership of bytes. Returns undefined when it can take more, otherwise a promise that resolves then; it rejects with ChannelClosure after the end. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#isEnded || this.#isFailed) return Promise.reject(new ChannelClosure('the stream is ended'));
    this.#queue.push(bytes);
    this.#pump();
    if (this.#isWritable()) return undefined;
    this.#writable ??= Promise.withResolvers();
    return this.#writable.promise;
  }

  /** Ends the direction after all bytes written before. */
  end(): void {
    this.#isEnded = true;
    this.#pump();
  }

  /** Sends over this channel from now on, from the position in the receipt of the other side or from the beginning. Throws ProtocolViolation. */
  attach(carrier: Carrier, receipt?: Receipt): void {
    this.#carrier = undefined;
    if (receipt !== undefined) this.onReceipt(receipt);
    this.#queue.rewind(Math.min(receipt?.receivedTo ?? 0, this.#queue.endsAt));
    this.#isBusy = false;
    this.#isEndSent = this.isReceived;
    this.#carrier = carrier;
    this.#pump();
    this.#resolveWritable();
  }

  /** Sends nothing until the next channel. */
  detach(): void {
    this.#carrier = undefined;
  }

  /** Drops the bytes that the other side has received, and sends up to its new limit. Throws ProtocolViolation. */
  onReceipt({ receivedTo, limit }: Receipt): void {
    if (this.#isFailed) return;
    if (receivedTo > this.#sentTo || receivedTo < this.#queue.startsAt)
      throw new ProtocolViolation('a position of a stream was acknowledged that was not sent');
    this.isReceived = receivedTo > this.#queue.endsAt;
    this.#queue.dropTo(Math.min(receivedTo, this.#queue.endsAt));
    this.#limit = Math.max(this.#limit, limit);
    if (this.#queue.sizeBytes === 0) this.#window.reset();
    this.#pump();
    this.#resolveWritable();
  }

  /** Drops all bytes and rejects the pending write. */
  fail(reason: string): void {
    this.#isFailed = true;
    this.#carrier = undefined;
    this.#queue.clear();
    this.#window.reset();
    this.#writable?.promise.catch(() => undefined);
    this.#writable?.reject(new ChannelClosure(reason));
    this.#writable = undefined;
  }

  /** Releases its memory once all bytes are received. */
  close(): void {
    this.#queue.clear();
    this.#window.reset();
  }

  #pump(): void {
    while (this.#carrier !== undefined && !this.#isBusy) {
      const { cursorAt } = this.#queue;
      const bytes = this.#queue.next(Math.min(maxDataBytes, this.#limit - cursorAt));
      if (bytes === undefined) return this.#sendEnd(this.#carrier);
      this.#sentTo = Math.max(this.#sentTo, this.#queue.cursorAt);
      this.#pauseUntil(this.#carrier, this.#carrier.sendData(bytes));
    }
  }

  #sendEnd(carrier: Carrier): void {
    if (!this.#isEnded || this.#isEndSent || this.#queue.leftBytes > 0) return;
    this.#isEndSent = true;
    this.#sentTo = this.#queue.endsAt + 1;
    this.#pauseUntil(carrier, carrier.send(encodeEnd()));
  }

  #pauseUntil(carrier: Carrier, waiting: Promise<void> | undefined): void {
    if (waiting === undefined) return;
    this.#isBusy = true;
    waiting.then(
      () => {
        if (this.#carrier !== carrier) return;
        this.#isBusy = false;
        this.#pump();
        this.#resolveWritable();
      },
      // The reason follows with the end of the channel.
      () => undefined,
    );
  }

  #isWritable(): boolean {
    if (this.#queue.sizeBytes >= this.#window.sizeBytes) this.#window.grow();
    return !this.#isBusy && this.#queue.leftBytes === 0 && this.#queue.sizeBytes < this.#window.sizeBytes;
  }

  #resolveWritable(): void {
    if (this.#writable === undefined || !this.#isWritable()) return;
    this.#writable.resolve();
    this.#writable = undefined;
  }
}
