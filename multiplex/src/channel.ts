/** A two-way stream of bytes within a connection; each direction ends by itself. */
export interface Channel extends AsyncIterable<Uint8Array> {
  /** What the opener asked for. */
  readonly endpoint: string;
  /** Whether both directions are over. */
  readonly isClosed: boolean;
  /** Fulfilled with a readable reason, maybe empty, once both directions are over or the connection is; never rejected. */
  readonly closed: Promise<string>;
  /** Fulfilled with a readable reason once nothing more can be sent: the peer reads no more, or the channel is over; never rejected. */
  readonly stopped: Promise<string>;
  /** Why the peer's stream broke off before its end, readable; undefined while it may go on and when it ended in good order. */
  readonly resetReason: string | undefined;
  /**
   * The next bytes, at least one; null at the end of the stream, which is also what the end of the connection looks
   * like, but for `resetReason`. Taking them gives credit back to the peer. One read at a time: a second one is rejected with an Error.
   */
  read(): Promise<Uint8Array | null>;
  /**
   * Sends bytes, which must not be changed before it is fulfilled: when all of them are handed to the transport, as
   * far as the peer's credit and the transport's room allow. Rejected with ChannelClosure once this direction is over.
   */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Sends bytes that a socket has read (see `lend`), which belong to the channel from then on. Undefined when all are handed to the transport already,
   * else as `write`.
   */
  writeOwned(bytes: Uint8Array): Promise<void> | undefined;
  /**
   * Hands all bytes to `take` as they come, in the turn in which they come, instead of reads; the next ones wait for the promise that it answers, if
   * any, and credit goes back to the peer behind it. The bytes belong to `take`, which lets go of them. Fulfilled at the end of the stream, rejected
   * with what `take` is rejected with.
   */
  drain(take: ChunkHandler): Promise<void>;
  /** Ends the sending direction behind everything written before. */
  end(reason?: string): void;
  /** Ends the receiving direction: what was not read is forgotten, and the peer stops sending. */
  stopReading(reason?: string): void;
  /** Ends both directions at once; what is still unsent is dropped, and its writes are rejected. */
  abort(reason?: string): void;
}

/** Whoever is handed a channel's bytes; the promise tells when it can take more. */
export type ChunkHandler = (bytes: Uint8Array) => Promise<void> | undefined;
