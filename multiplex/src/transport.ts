/** Receives the events of a transport; never called from inside one of the transport's own methods. */
export interface TransportListener {
  /**
   * A binary message arrived, whole where `missingBytes` is 0; else this is its first part, and the rest follows through `onPart` before any other
   * event. The bytes belong to the listener, which must release them (see buffer-tracking).
   */
  onMessage(bytes: Uint8Array, missingBytes: number): void;
  /** Whether a message that begins with these bytes, at least nine, is delivered in parts as it arrives; of other messages at most 16 KiB is delivered. */
  acceptsParts(first: Uint8Array): boolean;
  /** The next part of the last message. */
  onPart(bytes: Uint8Array): void;
  /** A message arrived that is not binary and is ignored. */
  onIgnored(): void;
  /** The buffered bytes were sent, so there is room again. */
  onDrain(): void;
  /** The peer broke the rules of the transport itself: no message follows, but a last frame can still be sent. Called at most once. */
  onViolation(reason: string): void;
  /** The peer has ended or the transport is broken: no message follows. Called at most once. */
  onEnd(reason: string): void;
}

/** Carries whole binary messages in order. */
export interface Transport {
  /**
   * Sends one message, `head` followed by `payload`; does nothing after the end. The payload must not be changed before `onSent`, which is called
   * once it has been sent, and never where the transport breaks.
   */
  send(head: Uint8Array, payload?: Uint8Array, onSent?: () => void): void;
  /** Bytes that were sent but not yet passed to the network. */
  readonly bufferedBytes: number;
  /** Sets the listener, once; it receives earlier messages first. */
  attach(listener: TransportListener): void;
  /** Sends what is buffered, then ends the stream without a close frame of the transport; input is ignored from now on. */
  end(): void;
  /** Breaks the transport at once. */
  destroy(): void;
}
