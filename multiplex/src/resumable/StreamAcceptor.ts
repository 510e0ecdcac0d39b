import type { Channel } from '../channel.ts';
import { ProtocolViolation } from '../errors.ts';
import type { BytePool } from './byte-pool.ts';
import { Carrier, type IsRevocation } from './carrier.ts';
import type { Schedule } from './AckScheduler.ts';
import { ResumableStream } from './ResumableStream.ts';
import type { OpenFrame, StreamFrameSink } from './stream-frames.ts';

/** The dependencies of an acceptor. */
export interface AcceptorParts {
  readonly pool: BytePool;
  readonly schedule: Schedule;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly isRevocation: IsRevocation;
}

/** Called with each new stream; it must confirm or abort the stream. */
export type OnStream = (stream: ResumableStream) => void;

interface Session {
  readonly key: string;
  readonly stream: ResumableStream;
  /** Set while no channel carries it. */
  cancelExpiry: (() => void) | undefined;
}

/** The most streams at a time, including those without a channel. */
const maxStreams = 64;
/** How long a stream without a channel is kept: the 60 s for which its opener tries, which may notice the loss up to 20 s later, and a margin. */
const detachedMs = 90_000;
const tooManyStreams = 'too many streams';
/** How long an opener may take to send its open frame. */
const openTimeoutMs = 10_000;

/** Accepts resumable streams, and keeps those whose channel was lost until their opener opens another one. */
export class StreamAcceptor {
  readonly #parts: AcceptorParts;
  /** By session id; those without a channel are in the order in which they lost it. */
  readonly #sessions = new Map<string, Session>();
  /** Channels whose opener has not said yet which stream it opens. */
  #unopened = 0;

  constructor(parts: AcceptorParts) {
    this.#parts = parts;
  }

  /** The number of streams, including those without a channel. */
  get count(): number {
    return this.#sessions.size;
  }

  /** Whether no stream can be accepted, because all have a channel; those that are just being opened count. */
  get isFull(): boolean {
    return this.count + this.#unopened >= maxStreams && this.#longestDetached === undefined;
  }

  /** Serves a channel of an opener; calls `onStream` if its stream is new. */
  serve(channel: Channel, onStream: OnStream): void {
    let session: Session | undefined;
    const endOpening = this.#beginOpening(() => carrier.abort('the stream was not opened in time'));
    const onOpen = (frame: OpenFrame): void => {
      endOpening();
      const isKnown = this.#sessions.has(keyOf(frame));
      if (!isKnown && !frame.isNew) return carrier.abort('the device no longer has this connection');
      if (!isKnown && !this.#makeRoom()) return carrier.abort(tooManyStreams);
      session = this.#sessionOf(frame);
      session.stream.accept(carrier, frame);
      if (!isKnown) onStream(session.stream);
    };
    const carrier = new Carrier(channel, sinkForOpen(onOpen), this.#parts.isRevocation, (ended, end) => {
      endOpening();
      session?.stream.carrierEnded(ended, end);
    });
    carrier.start();
  }

  /** Ends all streams for good. */
  close(reason: string): void {
    for (const { stream } of this.#sessions.values()) stream.giveUp(reason);
  }

  /** Counts a channel until the returned function is called; it is called after the timeout at the latest. */
  #beginOpening(onTimeout: () => void): () => void {
    this.#unopened += 1;
    let isOpening = true;
    const end = (): void => {
      cancel();
      if (isOpening) this.#unopened -= 1;
      isOpening = false;
    };
    const cancel = this.#parts.schedule(() => {
      end();
      onTimeout();
    }, openTimeoutMs);
    return end;
  }

  /** Makes room for one more stream, if there is none: the opener of a stream that waits for long is probably gone. False if all have a channel. */
  #makeRoom(): boolean {
    if (this.count < maxStreams) return true;
    const longest = this.#longestDetached;
    longest?.stream.giveUp(tooManyStreams);
    return longest !== undefined;
  }

  #sessionOf(frame: OpenFrame): Session {
    const session = this.#sessions.get(keyOf(frame)) ?? this.#create(frame);
    session.cancelExpiry?.();
    session.cancelExpiry = undefined;
    return session;
  }

  #create(frame: OpenFrame): Session {
    const stream = new ResumableStream({
      ...this.#parts,
      sessionId: frame.sessionId,
      onDetached: () => this.#detached(session),
      onFinished: () => this.#remove(session),
    });
    const session: Session = { key: keyOf(frame), stream, cancelExpiry: undefined };
    this.#sessions.set(session.key, session);
    return session;
  }

  #detached(session: Session): void {
    this.#sessions.delete(session.key);
    this.#sessions.set(session.key, session);
    session.cancelExpiry = this.#parts.schedule(
      () => session.stream.giveUp('its other side did not come back'),
      detachedMs,
    );
  }

  #remove(session: Session): void {
    session.cancelExpiry?.();
    this.#sessions.delete(session.key);
  }

  get #longestDetached(): Session | undefined {
    for (const session of this.#sessions.values()) if (session.cancelExpiry !== undefined) return session;
    return undefined;
  }
}

const keyOf = ({ sessionId }: OpenFrame): string => sessionId.join();

function sinkForOpen(onOpen: (frame: OpenFrame) => void): StreamFrameSink {
  const refuse = (): never => {
    throw new ProtocolViolation('a stream was not opened');
  };
  return { onOpen, onAccept: refuse, onData: refuse, onAck: refuse, onEnd: refuse };
}
