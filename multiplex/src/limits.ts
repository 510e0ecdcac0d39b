/** How much of each resource one connection may use, and how long it may be silent. */
export interface Limits {
  /** Longest frame accepted, in bytes. */
  readonly maxFrameBytes: number;
  /** Live channels and undecided requests, both directions together. */
  readonly maxChannels: number;
  /** Frames other than data that the peer may send per second, sustained; bursts of two seconds' worth pass. */
  readonly controlFramesPerSecond: number;
  /** Pings, and messages that are no frames, that the peer may send per second, with the same bursts: no program needs more than one in five seconds, and each costs an answer. */
  readonly pingsPerSecond: number;
  /** How many extra control frames a rejected request counts as: rejecting costs more than reading a frame. */
  readonly framesPerRejection: number;
  /** Longest endpoint, in bytes of UTF-8; a longer one is rejected. */
  readonly maxEndpointBytes: number;
  /** Longest reason, in bytes of UTF-8. */
  readonly maxReasonBytes: number;
  /** Longest Hello info, in bytes. */
  readonly maxInfoBytes: number;
  /** How long the peer may take to send Hello. */
  readonly helloTimeoutMs: number;
  /** A peer that sends no frame for this long is dead. */
  readonly silenceTimeoutMs: number;
  /** A peer that takes none of the buffered bytes for this long is dead. */
  readonly writeTimeoutMs: number;
  /** Largest receive window of a channel, in frames. */
  readonly maxWindowFrames: number;
  /** Largest receive window of a channel, in payload bytes. */
  readonly maxWindowBytes: number;
  /** Sum of the receive windows of all channels, in payload bytes; a window that would exceed it does not grow. */
  readonly receiveBudgetBytes: number;
  /** Longest payload of a data frame that is sent, so that channels take turns. */
  readonly maxPayloadBytes: number;
  /** With this many bytes buffered in the transport, no data is sent until it drains. */
  readonly maxBufferedBytes: number;
  /** With more bytes buffered than this, control frames included, the peer is dead. */
  readonly maxBacklogBytes: number;
}

/** The default limits. */
export const defaultLimits: Limits = Object.freeze({
  maxFrameBytes: 1_048_576 + 9,
  maxChannels: 64,
  controlFramesPerSecond: 2_000,
  pingsPerSecond: 50,
  framesPerRejection: 0,
  maxEndpointBytes: 4_096,
  maxReasonBytes: 4_096,
  maxInfoBytes: 4_096,
  helloTimeoutMs: 10_000,
  silenceTimeoutMs: 20_000,
  writeTimeoutMs: 10_000,
  maxWindowFrames: 1_024,
  maxWindowBytes: 1_048_576,
  receiveBudgetBytes: 8_388_608,
  maxPayloadBytes: 65_536,
  maxBufferedBytes: 131_072,
  maxBacklogBytes: 1_048_576,
});
