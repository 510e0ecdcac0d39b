import type { Channel } from './channel.ts';
import type { Limits } from './limits.ts';
import type { Transport } from './transport.ts';

/** A channel that the peer requests; to be decided once, now or later. */
export interface ChannelRequest {
  /** What the peer wants to connect to. */
  readonly endpoint: string;
  /** Opens the channel; when the connection has ended meanwhile, the channel is already closed. */
  accept(): Channel;
  /** Rejects with a readable reason, which the peer shows to people. It counts as so many further control frames, by default as the limits say. */
  reject(reason: string, frames?: number): void;
}

/** How and why a connection ended. */
export interface ConnectionEnd {
  /**
   * `closed`: by this side; `peer`: by the peer's Close; `lost`: the transport ended, as when most peers disconnect;
   * `violation`: the peer broke the protocol; `silent`: no Hello in time or no frame for too long; `stalled`: the peer
   * does not read what is sent; `failed`: a bug of this side, in `error`.
   */
  readonly cause: 'closed' | 'peer' | 'lost' | 'violation' | 'silent' | 'stalled' | 'failed';
  /** Readable, maybe empty. */
  readonly reason: string;
  /** What was thrown, when the cause is `failed`. */
  readonly error?: unknown;
}

/** The options of a connection. */
export interface ConnectionOptions {
  readonly transport: Transport;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Differences from `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /** Called for each channel that the peer requests; without it, each is rejected as unknown endpoint. */
  readonly onChannelRequest?: (request: ChannelRequest) => void;
  /** Called once with the info of the peer's Hello, readable and maybe empty. */
  readonly onHello?: (info: string) => void;
  /** Called once, after the connection and its channels have ended. */
  readonly onClosed?: (end: ConnectionEnd) => void;
  /** The info of this side's Hello, as `corral-agent/1.2.3`; at most 4,096 bytes, empty by default. */
  readonly info?: string;
  /** Whether to delay ChannelClosed: the peer may be of the first generation, which drops unread data on it, until its Hello says otherwise. */
  readonly delayChannelClosed?: boolean;
  /** How often to Ping, in milliseconds; 0, the default: only where channels carry data, to measure the round trip. */
  readonly pingIntervalMs?: number;
  /** Ping when this side has sent nothing for so long, in milliseconds, so that a proxy between sees that it is alive; 0, the default: never. */
  readonly pingWhenQuietMs?: number;
  /** Runs a function after a delay, for delayed frames; without it they wait for the next tick. */
  readonly schedule?: (run: () => void, delayMs: number) => void;
}
