import { ChannelClosure, ProtocolViolation } from '../errors.ts';
import { ByteQueue } from './byte-queue.ts';
import { initialWindowBytes, PooledWindow, type BytePool } from './byte-pool.ts';
import type { Carrier } from './carrier.ts';
import { encodeEnd, type Receipt } from './stream-frames.ts';

/** Channels take turns after so many bytes. */
const maxDataBytes = 65_536;

/** The sending direction of a stream: keeps what it sent until the other side has received it. */
export class Outgoing {
  readonly #queue = new ByteQueue();
  readonly #window: PooledWindow;
  #carrier: Carrier | undefined;
  /** How far the other side lets this one send. */
  #limit = initialWindowBytes;
  /** How far was ever sent, over all channels. */
  #sentTo = 0;
  /** The channel does not take more now. */
  #isBusy = false;
  #isEnded = false;
  #isEndSent = false;
  #isFailed = false;
  #room: PromiseWithResolvers<void> | undefined;
  /** Whether the other side has received everything and the end. */
  isReceived = false;

  constructor(pool: BytePool) {
    this.#window = new PooledWindow(pool);
  }

  /** How many bytes it keeps. */
  get heldBytes(): number {
    return this.#queue.sizeBytes;
  }

  /** Takes bytes, which it owns. Returns undefined when it can take more, else a promise of that; rejected with ChannelClosure after the end. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#isEnded || this.#isFailed) return Promise.reject(new ChannelClosure('the stream is ended'));
    this.#queue.push(bytes);
    this.#pump();
    if (this.#hasRoom()) return undefined;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  /** Ends the direction after everything written. */
  end(): void {
    this.#isEnded = true;
    this.#pump();
  }

  /** Sends over this channel from now on: from the receipt of the other side, or from the beginning. Throws ProtocolViolation. */
  attach(carrier: Carrier, receipt?: Receipt): void {
    this.#carrier = undefined;
    if (receipt !== undefined) this.acknowledged(receipt);
    this.#queue.rewind(Math.min(receipt?.receivedTo ?? 0, this.#queue.endsAt));
    this.#isBusy = false;
    this.#isEndSent = this.isReceived;
    this.#carrier = carrier;
    this.#pump();
    this.#giveRoom();
  }

  /** Sends nothing until the next channel. */
  detach(): void {
    this.#carrier = undefined;
  }

  /** The other side has received so much. Throws ProtocolViolation. */
  acknowledged({ receivedTo, limit }: Receipt): void {
    if (this.#isFailed) return;
    if (receivedTo > this.#sentTo || receivedTo < this.#queue.startsAt)
      throw new ProtocolViolation('a position of a stream was acknowledged that was not sent');
    this.isReceived = receivedTo > this.#queue.endsAt;
    this.#queue.dropTo(Math.min(receivedTo, this.#queue.endsAt));
    this.#limit = Math.max(this.#limit, limit);
    if (this.#queue.sizeBytes === 0) this.#window.close();
    this.#pump();
    this.#giveRoom();
  }

  /** Drops everything. */
  fail(reason: string): void {
    this.#isFailed = true;
    this.#carrier = undefined;
    this.#queue.clear();
    this.#window.close();
    this.#room?.promise.catch(() => undefined);
    this.#room?.reject(new ChannelClosure(reason));
    this.#room = undefined;
  }

  /** Gives back its memory once everything is received. */
  close(): void {
    this.#queue.clear();
    this.#window.close();
  }

  #pump(): void {
    while (this.#carrier !== undefined && !this.#isBusy) {
      const { cursorAt } = this.#queue;
      const bytes = this.#queue.next(Math.min(maxDataBytes, this.#limit - cursorAt));
      if (bytes === undefined) return this.#sendEnd(this.#carrier);
      this.#sentTo = Math.max(this.#sentTo, this.#queue.cursorAt);
      this.#waitFor(this.#carrier, this.#carrier.sendData(bytes));
    }
  }

  #sendEnd(carrier: Carrier): void {
    if (!this.#isEnded || this.#isEndSent || this.#queue.leftBytes > 0) return;
    this.#isEndSent = true;
    this.#sentTo = this.#queue.endsAt + 1;
    this.#waitFor(carrier, carrier.send(encodeEnd()));
  }

  #waitFor(carrier: Carrier, waiting: Promise<void> | undefined): void {
    if (waiting === undefined) return;
    this.#isBusy = true;
    waiting.then(
      () => {
        if (this.#carrier !== carrier) return;
        this.#isBusy = false;
        this.#pump();
        this.#giveRoom();
      },
      // The end of the channel says why.
      () => undefined,
    );
  }

  #hasRoom(): boolean {
    if (this.#queue.sizeBytes >= this.#window.sizeBytes) this.#window.grow();
    return !this.#isBusy && this.#queue.leftBytes === 0 && this.#queue.sizeBytes < this.#window.sizeBytes;
  }

  #giveRoom(): void {
    if (this.#room === undefined || !this.#hasRoom()) return;
    this.#room.resolve();
    this.#room = undefined;
  }
}
