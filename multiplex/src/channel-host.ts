import type { ChannelCore } from './channel-core.ts';
import type { ChannelStream } from './channel-stream.ts';

/** Bytes to send. */
export interface OutgoingBytes {
  readonly bytes: Uint8Array;
  /** Their number, which stays when they are released. */
  readonly sizeBytes: number;
  /** Whether the connection owns them and releases them once they are sent. */
  readonly isOwned: boolean;
  /** A few bytes that go before them, in the same frame. */
  readonly head?: Uint8Array | undefined;
}

/** What a channel needs of its connection. */
export interface ChannelHost {
  /** Whether the transport has room now and no other channel waits for it. */
  readonly hasRoom: boolean;
  /** Sends one frame of the bytes from `offset`, for which there must be credit; returns the next offset. */
  sendData(core: ChannelCore, outgoing: OutgoingBytes, offset: number): number;
  /** Calls `pump` of the stream once the transport has room. */
  waitForRoom(stream: ChannelStream): void;
  /** The application consumed bytes of one frame. */
  consumed(core: ChannelCore, payloadBytes: number): void;
  /** Ends the sending direction, delayed where the peer needs it. */
  finish(core: ChannelCore, reason: string): void;
  /** Ends the sending direction at once. */
  finishNow(core: ChannelCore, reason: string): void;
  /** Ends the receiving direction. */
  stop(core: ChannelCore, reason: string): void;
}
