/** A bidirectional byte stream within a connection; each direction ends independently. */
export interface Channel extends AsyncIterable<Uint8Array> {
  /** The endpoint that the opener requested. */
  readonly endpoint: string;
  /** Whether both directions have ended. */
  readonly isClosed: boolean;
  /** Fulfilled with a readable reason, maybe empty, once both directions or the connection have ended; never rejected. */
  readonly closed: Promise<string>;
  /** Fulfilled with a readable reason once nothing more can be sent: the peer stopped reading, or the channel ended; never rejected. */
  readonly stopped: Promise<string>;
  /** Why the peer aborted its stream, readable; undefined while it continues and after a normal end. */
  readonly resetReason: string | undefined;
  /**
   * The next bytes, at least one; null at the end of the stream or of the connection (`resetReason` tells them apart). Reading returns
   * credit to the peer. One read at a time: a second one is rejected with an Error.
   */
  read(): Promise<Uint8Array | null>;
  /**
   * Sends bytes. Fulfilled when the transport has all of them, as the peer's credit and the transport's room allow; until then they must not be
   * changed. Rejected with ChannelClosure once this direction has ended.
   */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Sends bytes that a socket has read (see `trackBuffer`). The channel owns them from then on and releases them. Returns undefined when the
   * transport already has all of them, else the same promise as `write`. A `head` of a few bytes goes before them, in the same frame.
   */
  writeOwned(bytes: Uint8Array, head?: Uint8Array): Promise<void> | undefined;
  /**
   * Calls `onChunk` with all bytes as they arrive, in the same turn, instead of reads. When it returns a promise, the next bytes and the credit of
   * these wait for it. `onChunk` owns the bytes and releases them. Fulfilled at the end of the stream, rejected when `onChunk` is.
   */
  drain(onChunk: ChunkHandler): Promise<void>;
  /** Ends the sending direction after everything written before. */
  end(reason?: string): void;
  /** Ends the receiving direction: unread data is dropped, and the peer stops sending. */
  stopReading(reason?: string): void;
  /** Ends both directions at once; unsent data is dropped, and its writes are rejected. */
  abort(reason?: string): void;
}

/** The part of a channel that joins it with a socket; a stream that outlives its channels has the same. */
export type ByteStream = Pick<
  Channel,
  'abort' | 'closed' | 'drain' | 'end' | 'resetReason' | 'stopReading' | 'writeOwned'
>;

/** Receives the bytes of a channel; the promise, if any, settles when it can take more. */
export type ChunkHandler = (bytes: Uint8Array) => Promise<void> | undefined;
