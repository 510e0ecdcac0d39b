import type { ByteStream, Channel, ChunkHandler } from '../channel.ts';
import { ProtocolViolation } from '../errors.ts';
import { AckScheduler, type Schedule } from './AckScheduler.ts';
import type { BytePool } from './byte-pool.ts';
import { Carrier, type CarrierEnd, type IsRevocation } from './carrier.ts';
import {
  encodeAccept,
  encodeOpen,
  type OpenFrame,
  type Receipt,
  type StreamFrameSink,
} from './stream-frames.ts';
import { StreamReceiver } from './StreamReceiver.ts';
import { StreamSender } from './StreamSender.ts';

/** The dependencies of a stream, and its callbacks to its owner. */
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
  /** The stream needs no channel any more: the other side has received all bytes, or the reset. */
  readonly onFinished: () => void;
}

/**
 * A byte stream between two sides that outlives the channels that carry it: each side keeps the bytes that the other has not received, and sends them again over the next
 * channel. Programs use it like a channel.
 */
export class ResumableStream implements ByteStream, StreamFrameSink {
  readonly #parts: StreamParts;
  readonly #sender: StreamSender;
  readonly #receiver: StreamReceiver;
  readonly #acks: AckScheduler;
  readonly #closed = Promise.withResolvers<string>();
  #carrier: Carrier | undefined;
  /** Whether an accept frame must come before all other frames, and whether the channel is the first one. */
  #expected: 'firstAccept' | 'accept' | 'nothing' = 'nothing';
  #isOpener = false;
  /** As the acceptor: whether the program has confirmed the stream. */
  #isConfirmed = false;
  #isFinished = false;
  #abortReason: string | undefined;
  #resetReason: string | undefined;
  /** As the opener: whether the other side has accepted a channel. */
  wasAccepted = false;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#sender = new StreamSender(parts.pool);
    this.#receiver = new StreamReceiver(parts.pool, parts.now, () => this.#acks.update());
    this.#acks = new AckScheduler(this.#receiver, parts.schedule);
  }

  // For the program.

  get closed(): Promise<string> {
    return this.#closed.promise;
  }

  get resetReason(): string | undefined {
    return this.#resetReason;
  }

  writeOwned(bytes: Uint8Array): Promise<void> | undefined {
    return this.#sender.write(bytes);
  }

  drain(onChunk: ChunkHandler): Promise<void> {
    return this.#receiver.drain(onChunk);
  }

  end(): void {
    this.#sender.end();
  }

  stopReading(reason = ''): void {
    this.abort(reason);
  }

  abort(reason = ''): void {
    if (this.#hasEnded) return;
    this.#abortReason = reason;
    this.#receiver.abort();
    this.#close(reason);
    if (this.#carrier !== undefined) this.#sendAbort(this.#carrier, reason);
  }

  // For its opener or acceptor.

  /** Whether a channel carries it. */
  get isAttached(): boolean {
    return this.#carrier !== undefined;
  }

  /** The bytes in memory that the other side has not acknowledged. */
  get heldBytes(): number {
    return this.#sender.heldBytes;
  }

  /** As its opener, continues over an unused channel. Data follows at once over the first channel, and over later ones after the accept frame with the position to resume from. */
  open(channel: Channel, isFirst: boolean): void {
    const { sessionId, isRevocation } = this.#parts;
    const carrier = new Carrier(channel, this, isRevocation, (ended, end) => this.carrierEnded(ended, end));
    this.#attach(carrier);
    this.#isOpener = true;
    this.#expected = isFirst ? 'firstAccept' : 'accept';
    const receipt = this.#receiver.takeReceipt();
    this.#send(carrier, encodeOpen({ isNew: !this.wasAccepted, sessionId, receipt }));
    if (isFirst) this.#sender.attach(carrier);
    carrier.start();
  }

  /** As its acceptor, continues over a channel whose open frame was received. Throws ProtocolViolation. */
  accept(carrier: Carrier, { receipt }: OpenFrame): void {
    if (this.#abortReason !== undefined) return this.#sendAbort(carrier, this.#abortReason);
    carrier.sink = this;
    this.#attach(carrier);
    this.#expected = 'nothing';
    if (this.#isConfirmed) this.#sendAccept(carrier);
    this.#sender.attach(carrier, receipt);
    this.#finishIfDone();
  }

  /** As its acceptor, tells the other side that the program is connected. Before, it sends nothing but a reset. */
  confirm(): void {
    this.#isConfirmed = true;
    if (this.#carrier !== undefined) this.#sendAccept(this.#carrier);
  }

  /** To be called when a channel that carried it has ended. */
  carrierEnded(carrier: Carrier, { kind, reason }: CarrierEnd): void {
    if (this.#carrier !== carrier) return;
    this.#detach();
    if (kind === 'final') return this.#reset(reason);
    // A done acceptor stays after a loss: the opener may not have its last acknowledgement, and resume to get it.
    if (this.#isDone && (kind === 'ended' || this.#isOpener)) return this.#finish();
    if (kind === 'ended') carrier.abandon('the stream is not at its end');
    this.#parts.onDetached(reason || 'the connection ended');
  }

  /** Resets it without waiting for another channel; the program still reads what was received. */
  giveUp(reason: string): void {
    if (this.#isFinished) return;
    this.#carrier?.abort(reason);
    this.#reset(reason);
  }

  onOpen(): void {
    throw new ProtocolViolation('second opening of a stream');
  }

  onAccept(receipt: Receipt): void {
    const carrier = this.#carrier;
    if (this.#expected === 'nothing' || carrier === undefined)
      throw new ProtocolViolation('unexpected acceptance of a stream');
    const isFirst = this.#expected === 'firstAccept';
    this.#expected = 'nothing';
    this.wasAccepted = true;
    if (this.#abortReason !== undefined) return this.#sendAbort(carrier, this.#abortReason);
    if (isFirst) this.#sender.onReceipt(receipt);
    else this.#sender.attach(carrier, receipt);
    this.#acks.start(carrier);
    this.#parts.onAccepted?.();
    this.#finishIfDone();
  }

  onData(bytes: Uint8Array): void {
    this.#requireAccepted();
    this.#receiver.onData(bytes);
    this.#acks.update();
  }

  onAck(receipt: Receipt): void {
    this.#requireAccepted();
    this.#sender.onReceipt(receipt);
    this.#finishIfDone();
  }

  onEnd(): void {
    this.#requireAccepted();
    this.#receiver.onEnd();
    this.#acks.update();
    this.#finishIfDone();
  }

  #requireAccepted(): void {
    if (this.#expected !== 'nothing') throw new ProtocolViolation('a stream was not accepted');
  }

  #attach(carrier: Carrier): void {
    this.#carrier?.abandon('the stream goes on over another channel');
    this.#detach();
    this.#carrier = carrier;
  }

  #detach(): void {
    this.#carrier = undefined;
    this.#sender.detach();
    this.#acks.stop();
  }

  #send(carrier: Carrier, frame: Uint8Array): void {
    carrier.send(frame)?.catch(() => undefined);
  }

  #sendAccept(carrier: Carrier): void {
    this.#send(carrier, encodeAccept(this.#receiver.takeReceipt()));
    this.#acks.start(carrier);
  }

  #sendAbort(carrier: Carrier, reason: string): void {
    this.#carrier = undefined;
    carrier.abort(reason);
    this.#finish();
  }

  /** Whether all bytes of both directions have arrived. */
  get #isDone(): boolean {
    return this.#receiver.hasEnded && this.#sender.isReceived;
  }

  get #hasEnded(): boolean {
    return this.#isDone || this.#abortReason !== undefined || this.#resetReason !== undefined;
  }

  #finishIfDone(): void {
    if (!this.#isDone) return;
    this.#sender.close();
    this.#receiver.close();
    this.#closed.resolve('');
    this.#carrier?.end();
  }

  #reset(reason: string): void {
    if (!this.#hasEnded) {
      this.#resetReason = reason || 'the stream was reset';
      this.#receiver.stop();
      this.#close(this.#resetReason);
    }
    this.#carrier = undefined;
    this.#finish();
  }

  /** Ends it for the program; nothing is sent any more. */
  #close(reason: string): void {
    this.#sender.fail(reason);
    this.#receiver.close();
    this.#acks.stop();
    this.#closed.resolve(reason);
  }

  #finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#acks.stop();
    this.#parts.onFinished();
  }
}
