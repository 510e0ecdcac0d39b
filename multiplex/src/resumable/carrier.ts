import { retain } from '../buffer-tracking.ts';
import type { Channel } from '../channel.ts';
import { ProtocolViolation } from '../errors.ts';
import { dataHeadBytes, StreamFrameReader, writeDataHead, type StreamFrameSink } from './stream-frames.ts';

/** How a channel ended under its stream. */
export interface CarrierEnd {
  /** `lost`: by whatever lies between the two sides; the stream may go on over another channel. `final`: by a side or its hub, for good. */
  readonly kind: 'ended' | 'final' | 'lost';
  /** Readable, maybe empty. */
  readonly reason: string;
}

/** Whether a hub ended a channel or a link with this reason since a credential or permission has ended: no other channel will be opened. */
export type IsRevocation = (reason: string) => boolean;

/** The reason of a reset that one side of a stream wants, and not what lies between, begins with this. */
const finalPrefix = 'for good: ';
/** A shorter payload is copied behind its header into one frame of the channel. */
const smallBytes = 1_024;

/** One of the channels that carry a stream, one after another. */
export class Carrier {
  readonly #channel: Channel;
  readonly #reader: StreamFrameReader;
  readonly #isRevocation: IsRevocation;
  readonly #onEnd: (carrier: Carrier, end: CarrierEnd) => void;
  #isOver = false;

  /** `onEnd` is called once, unless this side aborts or leaves the channel. */
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

  /** Begins to read. */
  start(): void {
    const channel = this.#channel;
    void channel.stopped.then((reason) => {
      // What the other side sent before a reset comes first.
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

  /** Who receives the frames from now on, and the end. */
  set sink(sink: StreamFrameSink) {
    this.#reader.sink = sink;
  }

  /** Sends a frame without data. Returns undefined when the transport has it, else a promise of that, which is rejected where the channel ends. */
  send(frame: Uint8Array): Promise<void> | undefined {
    return this.#channel.writeOwned(frame);
  }

  /** Sends data, which must not change before the channel has ended or the other side has it. Returns the same as `send`. */
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

  /** Ends the sending direction after everything sent before. */
  end(): void {
    this.#channel.end();
  }

  /** Ends the stream for good, also at the other side; the reason is for people. */
  abort(reason: string): void {
    this.#stop(`${finalPrefix}${reason}`);
  }

  /** Gives the channel up: the stream may go on over another. */
  leave(reason: string): void {
    this.#stop(reason);
  }

  #stop(reason: string): void {
    this.#isOver = true;
    this.#reader.stop();
    this.#channel.abort(reason);
  }

  #read(bytes: Uint8Array): undefined {
    try {
      this.#reader.read(bytes);
    } catch (error) {
      if (!(error instanceof ProtocolViolation)) throw error;
      if (this.#isOver) return;
      this.abort(error.message);
      this.#onEnd(this, { kind: 'final', reason: error.message });
    }
  }

  #finish(end: CarrierEnd): void {
    if (this.#isOver) return;
    // An end in one direction only, and a stop, end the other one, too.
    if (end.kind === 'ended') this.#isOver = true;
    else this.#stop(end.reason);
    this.#onEnd(this, end);
  }

  #endOf(reason: string): CarrierEnd {
    if (this.#isRevocation(reason)) return { kind: 'final', reason };
    if (reason.startsWith(finalPrefix)) return { kind: 'final', reason: reason.slice(finalPrefix.length) };
    return { kind: 'lost', reason };
  }
}
