import type { ByteStream, Channel, ChunkHandler } from '../channel.ts';
import { ProtocolViolation } from '../errors.ts';
import { initialWindowBytes, type BytePool } from './byte-pool.ts';
import { Carrier, type CarrierEnd, type IsRevocation } from './carrier.ts';
import { Incoming } from './incoming.ts';
import { Outgoing } from './outgoing.ts';
import {
  encodeAccept,
  encodeAck,
  encodeOpen,
  type OpenFrame,
  type Receipt,
  type StreamFrameSink,
} from './stream-frames.ts';

/** Runs a function after a delay, and returns how to cancel that. */
export type Schedule = (run: () => void, delayMs: number) => () => void;

/** What a stream needs, and tells its owner. */
export interface StreamParts {
  /** The secret that names the stream; never logged. */
  readonly sessionId: Uint8Array;
  readonly pool: BytePool;
  readonly schedule: Schedule;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly isRevocation: IsRevocation;
  /** The other side has accepted a channel. */
  readonly onAccepted?: () => void;
  /** The channel was lost; the stream waits for another one. */
  readonly onDetached: (reason: string) => void;
  /** Nothing more is to be told to the other side: it has all, or was told of the reset. */
  readonly onOver: () => void;
}

/** What was received is acknowledged after this time at the latest, so that a quiet stream keeps no bytes. */
const ackDelayMs = 200;
/** With more than this to acknowledge, the other side may wait for it: it keeps no more than its own memory allows. */
const muchBytes = initialWindowBytes / 4;
const muchAckDelayMs = 5;

/**
 * A byte stream between two sides that outlives the channels that carry it: each side keeps what the other has not received, and sends it again over the next channel. To the
 * programs at its ends it looks as a channel does.
 */
export class ResumableStream implements ByteStream, StreamFrameSink {
  readonly #parts: StreamParts;
  readonly #outgoing: Outgoing;
  readonly #incoming: Incoming;
  readonly #closed = Promise.withResolvers<string>();
  #carrier: Carrier | undefined;
  /** What the first frame of the other side is expected to be. */
  #awaits: 'firstAccept' | 'accept' | 'nothing' = 'nothing';
  #isOpener = false;
  #hasConfirmed = false;
  /** The delay of the acknowledgement that is scheduled. */
  #ackDelayMs = Infinity;
  #cancelTimer: (() => void) | undefined;
  #isAckPending = false;
  #isOver = false;
  #abortReason: string | undefined;
  #resetReason: string | undefined;
  /** Whether the other side has accepted it once. */
  wasAccepted = false;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#outgoing = new Outgoing(parts.pool);
    this.#incoming = new Incoming(parts.pool, parts.now, () => this.#acknowledge());
  }

  // The side of the program.

  get closed(): Promise<string> {
    return this.#closed.promise;
  }

  get resetReason(): string | undefined {
    return this.#resetReason;
  }

  writeOwned(bytes: Uint8Array): Promise<void> | undefined {
    return this.#outgoing.write(bytes);
  }

  drain(onChunk: ChunkHandler): Promise<void> {
    return this.#incoming.drain(onChunk);
  }

  end(): void {
    this.#outgoing.end();
  }

  stopReading(reason = ''): void {
    this.abort(reason);
  }

  abort(reason = ''): void {
    if (this.#hasEnded) return;
    this.#abortReason = reason;
    this.#incoming.abort();
    this.#close(reason);
    if (this.#carrier !== undefined) this.#tellAbort(this.#carrier, reason);
  }

  // The side of the channels.

  /** Whether a channel carries it. */
  get isAttached(): boolean {
    return this.#carrier !== undefined;
  }

  /** How many bytes it keeps since the other side has not received them. */
  get heldBytes(): number {
    return this.#outgoing.heldBytes;
  }

  /** As its opener: goes on over this channel, on which nothing was sent yet. The first one carries data at once, later ones once the other side has said how much it received. */
  open(channel: Channel, isFirst: boolean): void {
    const { sessionId, isRevocation } = this.#parts;
    const carrier = this.#carryBy(
      new Carrier(channel, this, isRevocation, (ended, end) => this.carrierEnded(ended, end)),
    );
    this.#isOpener = true;
    this.#awaits = isFirst ? 'firstAccept' : 'accept';
    this.#send(
      carrier,
      encodeOpen({ isNew: !this.wasAccepted, sessionId, receipt: this.#incoming.takeReceipt() }),
    );
    if (isFirst) this.#outgoing.attach(carrier);
    carrier.start();
  }

  /** As its acceptor: goes on over this channel, whose first frame was received. Throws ProtocolViolation. */
  accept(carrier: Carrier, { receipt }: OpenFrame): void {
    if (this.#abortReason !== undefined) return this.#tellAbort(carrier, this.#abortReason);
    carrier.sink = this;
    this.#carryBy(carrier);
    this.#awaits = 'nothing';
    if (this.#hasConfirmed) this.#send(carrier, encodeAccept(this.#incoming.takeReceipt()));
    this.#outgoing.attach(carrier, receipt);
    this.#finishIfDone();
  }

  /** As its acceptor: tells the other side that the program is there. Until then it sends nothing but a reset. */
  confirm(): void {
    this.#hasConfirmed = true;
    if (this.#carrier !== undefined) this.#send(this.#carrier, encodeAccept(this.#incoming.takeReceipt()));
  }

  /** A channel has ended that may carry it. */
  carrierEnded(carrier: Carrier, { kind, reason }: CarrierEnd): void {
    if (this.#carrier !== carrier) return;
    this.#carrier = undefined;
    this.#outgoing.detach();
    if (kind === 'final') return this.#reset(reason);
    // An opener that is done needs nothing more; an acceptor may still be asked what it has received.
    if (this.#isDone && (kind === 'ended' || this.#isOpener)) return this.#over();
    if (kind === 'ended') carrier.leave('the stream is not at its end');
    this.#parts.onDetached(reason || 'the connection ended');
  }

  /** Ends it for good without another channel: what was received is delivered, then comes a reset. */
  giveUp(reason: string): void {
    if (this.#isOver) return;
    this.#carrier?.abort(reason);
    this.#reset(reason);
  }

  onOpen(): void {
    throw new ProtocolViolation('second opening of a stream');
  }

  onAccept(receipt: Receipt): void {
    const carrier = this.#carrier;
    if (this.#awaits === 'nothing' || carrier === undefined)
      throw new ProtocolViolation('unexpected acceptance of a stream');
    const isFirst = this.#awaits === 'firstAccept';
    this.#awaits = 'nothing';
    this.wasAccepted = true;
    if (this.#abortReason !== undefined) return this.#tellAbort(carrier, this.#abortReason);
    if (isFirst) this.#outgoing.acknowledged(receipt);
    else this.#outgoing.attach(carrier, receipt);
    this.#acknowledge();
    this.#parts.onAccepted?.();
    this.#finishIfDone();
  }

  onData(bytes: Uint8Array): void {
    this.#requireAccepted();
    this.#incoming.data(bytes);
    this.#acknowledge();
  }

  onAck(receipt: Receipt): void {
    this.#requireAccepted();
    this.#outgoing.acknowledged(receipt);
    this.#finishIfDone();
  }

  onEnd(): void {
    this.#requireAccepted();
    this.#incoming.end();
    this.#acknowledge();
    this.#finishIfDone();
  }

  #requireAccepted(): void {
    if (this.#awaits !== 'nothing') throw new ProtocolViolation('a stream was not accepted');
  }

  #carryBy(carrier: Carrier): Carrier {
    this.#carrier?.leave('the stream goes on over another channel');
    this.#outgoing.detach();
    this.#isAckPending = false;
    this.#carrier = carrier;
    return carrier;
  }

  #send(carrier: Carrier, frame: Uint8Array): void {
    carrier.send(frame)?.catch(() => undefined);
  }

  /** Acknowledges at once when enough has come, else a little later. */
  #acknowledge(): void {
    const { newsBytes, isReceiptDue } = this.#incoming;
    if (isReceiptDue) return this.#sendAck();
    if (newsBytes >= muchBytes) this.#acknowledgeIn(muchAckDelayMs);
    else if (newsBytes > 0) this.#acknowledgeIn(ackDelayMs);
  }

  #acknowledgeIn(delayMs: number): void {
    if (delayMs >= this.#ackDelayMs) return;
    this.#cancelAck();
    this.#ackDelayMs = delayMs;
    this.#cancelTimer = this.#parts.schedule(() => {
      this.#ackDelayMs = Infinity;
      this.#sendAck();
    }, delayMs);
  }

  #cancelAck(): void {
    if (this.#ackDelayMs !== Infinity) this.#cancelTimer?.();
    this.#ackDelayMs = Infinity;
  }

  /** One acknowledgement waits for the channel at most; a later one says the same and more. */
  #sendAck(): void {
    const carrier = this.#carrier;
    if (carrier === undefined || this.#isAckPending || !this.#mayAcknowledge) return;
    this.#cancelAck();
    const waiting = carrier.send(encodeAck(this.#incoming.takeReceipt()));
    if (waiting === undefined) return;
    this.#isAckPending = true;
    waiting.then(
      () => {
        if (this.#carrier !== carrier) return;
        this.#isAckPending = false;
        this.#acknowledge();
      },
      () => undefined,
    );
  }

  /** Each side speaks of what it has received only after it has said, or was told, that the stream is accepted. */
  get #mayAcknowledge(): boolean {
    return !this.#isOver && this.#awaits === 'nothing' && (this.#isOpener || this.#hasConfirmed);
  }

  get #isDone(): boolean {
    return this.#incoming.hasEnded && this.#outgoing.isReceived;
  }

  get #hasEnded(): boolean {
    return this.#isDone || this.#abortReason !== undefined || this.#resetReason !== undefined;
  }

  #finishIfDone(): void {
    if (!this.#isDone) return;
    this.#outgoing.close();
    this.#incoming.close();
    this.#closed.resolve('');
    this.#carrier?.end();
  }

  #tellAbort(carrier: Carrier, reason: string): void {
    this.#carrier = undefined;
    carrier.abort(reason);
    this.#over();
  }

  #reset(reason: string): void {
    if (!this.#hasEnded) {
      this.#resetReason = reason || 'the stream was reset';
      this.#incoming.stop();
      this.#close(this.#resetReason);
    }
    this.#carrier = undefined;
    this.#over();
  }

  /** Nothing is sent any more. */
  #close(reason: string): void {
    this.#outgoing.fail(reason);
    this.#incoming.close();
    this.#cancelAck();
    this.#closed.resolve(reason);
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelAck();
    this.#parts.onOver();
  }
}
