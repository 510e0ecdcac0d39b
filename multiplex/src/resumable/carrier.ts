import { retain } from '../buffer-tracking.ts';
import type { Channel } from '../channel.ts';
import { ProtocolViolation } from '../errors.ts';
import { dataHeadBytes, StreamFrameReader, writeDataHead, type StreamFrameSink } from './stream-frames.ts';

/** How a channel ended under its stream. */
export interface CarrierEnd {
  /** `lost`: by the network or a program in between, so the stream may go on over another channel. `final`: by a side or a hub, which ends the stream. */
  readonly kind: 'ended' | 'final' | 'lost';
  /** A text for users; may be empty. */
  readonly reason: string;
}

/** Whether a hub ends channels and links with this reason after it revoked a credential or permission; it then opens no other channel. */
export type IsRevocation = (reason: string) => boolean;

/** Prefix of the reasons with which a side resets the stream itself, in contrast to a lost channel. */
const finalPrefix = 'for good: ';
/** A shorter payload is copied behind its header into one frame of the channel. */
const smallBytes = 1_024;

/** One of the channels that carry a stream, one after another. */
export class Carrier {
  readonly #channel: Channel;
  readonly #reader: StreamFrameReader;
  readonly #isRevocation: IsRevocation;
  readonly #onEnd: (carrier: Carrier, end: CarrierEnd) => void;
  #hasEnded = false;

  /** `onEnd` is called once, unless this side aborts or abandons the channel. */
  constructor(
    channel: Channel,
    sink: StreamFrameSink,
    isRevocation: IsRevocation,
    onEnd: (carrier: Carrier, end: CarrierEnd) => void,
  ) {
    this.#channel = channel;
    this.#isRevocation = isRevocation;
    this.#reader = new StreamFrameReader(sink);
    this.#onEnd = onEnd;
  }

  /** Starts reading. */
  start(): void {
    const channel = this.#channel;
    void channel.stopped.then((reason) => {
      // A final reset is handled after the frames that the other side sent before it.
      const end = this.#endOf(reason);
      if (end.kind === 'lost') this.#finish(end);
    });
    void channel
      .drain((bytes) => this.#read(bytes))
      .then(() => {
        const { resetReason } = channel;
        this.#finish(resetReason === undefined ? { kind: 'ended', reason: '' } : this.#endOf(resetReason));
      });
  }

  /** The receiver of all further frames. */
  set sink(sink: StreamFrameSink) {
    this.#reader.sink = sink;
  }

  /** Sends a frame without data. Returns undefined when the transport has taken it, otherwise a promise that resolves then and rejects when the channel ends. */
  send(frame: Uint8Array): Promise<void> | undefined {
    return this.#channel.writeOwned(frame);
  }

  /** Sends data, which must not change until the other side has it or the channel has ended. Returns the same as `send`. */
  sendData(bytes: Uint8Array): Promise<void> | undefined {
    const sizeBytes = bytes.length;
    const isSmall = sizeBytes < smallBytes;
    const head = new Uint8Array(dataHeadBytes + (isSmall ? sizeBytes : 0));
    writeDataHead(head, sizeBytes);
    if (isSmall) head.set(bytes, dataHeadBytes);
    if (isSmall) return this.send(head);
    retain(bytes);
    return this.#channel.writeOwned(bytes, head);
  }

  /** Ends the sending direction after all frames sent before. */
  end(): void {
    this.#channel.end();
  }

  /** Resets the stream at both sides; the reason is a text for users. */
  abort(reason: string): void {
    this.#stop(`${finalPrefix}${reason}`);
  }

  /** Resets the channel only: the stream may go on over another one. */
  abandon(reason: string): void {
    this.#stop(reason);
  }

  #stop(reason: string): void {
    this.#hasEnded = true;
    this.#reader.stop();
    this.#channel.abort(reason);
  }

  #read(bytes: Uint8Array): undefined {
    try {
      this.#reader.read(bytes);
    } catch (error) {
      if (!(error instanceof ProtocolViolation)) throw error;
      if (this.#hasEnded) return;
      this.abort(error.message);
      this.#onEnd(this, { kind: 'final', reason: error.message });
    }
  }

  #finish(end: CarrierEnd): void {
    if (this.#hasEnded) return;
    // A reset or stop of one direction resets the whole channel.
    if (end.kind === 'ended') this.#hasEnded = true;
    else this.#stop(end.reason);
    this.#onEnd(this, end);
  }

  #endOf(reason: string): CarrierEnd {
    if (this.#isRevocation(reason)) return { kind: 'final', reason };
    if (reason.startsWith(finalPrefix)) return { kind: 'final', reason: reason.slice(finalPrefix.length) };
    return { kind: 'lost', reason };
  }
}
