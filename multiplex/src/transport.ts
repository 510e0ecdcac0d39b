/** What a transport tells; never called from inside one of the transport's own methods. */
export interface TransportListener {
  /**
   * A binary message arrived, whole where `missingBytes` is 0; else it is the first part, and the rest follows through `onPart` before anything
   * else. The bytes belong to the listener, which shares their memory (see buffer-tracking).
   */
  onMessage(bytes: Uint8Array, missingBytes: number): void;
  /** Whether a message that begins with these bytes, nine at least, may be told in parts as they arrive; of others 16 KiB at most are told. */
  acceptsParts(first: Uint8Array): boolean;
  /** The next part of the message that began last. */
  onPart(bytes: Uint8Array): void;
  /** Something arrived that is no binary message and costs nothing but the look at it. */
  onIgnored(): void;
  /** What waited has gone out; there is room again. */
  onDrain(): void;
  /** The peer broke the rules of the transport itself: no message follows, but a closeReason can still be sent. Called at most once. */
  onViolation(reason: string): void;
  /** The peer has ended or the transport is broken: no message follows. Called at most once. */
  onEnd(reason: string): void;
}

/** Carries whole binary messages in order; what is not a binary message never reaches the listener. */
export interface Transport {
  /**
   * Hands over one message: `head`, and `payload` behind it. After the end it does nothing. The bytes must not be changed afterwards, or not before
   * `onSent` is called, which happens once they have left, and maybe never where the transport breaks.
   */
  send(head: Uint8Array, payload?: Uint8Array, onSent?: () => void): void;
  /** Bytes handed over and not yet passed on to the network. */
  readonly bufferedBytes: number;
  /** Names who is told, once; what came before is told later, but before anything else. */
  attach(listener: TransportListener): void;
  /** Sends what waits, then ends the stream without any closeReason of the transport's own; input is ignored from now on. */
  end(): void;
  /** Breaks the transport at once. */
  destroy(): void;
}
