import type { Channel } from './channel.ts';
import type { Limits } from './limits.ts';
import type { Transport } from './transport.ts';

/** A channel that the peer asks for; to be decided once, now or later. */
export interface ChannelRequest {
  /** What the peer wants to reach. */
  readonly endpoint: string;
  /** Opens the channel; when the connection has ended meanwhile, the channel is closed from the start. */
  accept(): Channel;
  /** Refuses with a readable reason, which the peer shows to people. */
  reject(reason: string): void;
}

/** How and why a connection ended. */
export interface ConnectionEnd {
  /**
   * `closed`: by this side; `peer`: by the peer's Close; `lost`: the transport ended, which is how most peers leave;
   * `violation`: the peer broke the protocol; `silent`: no Hello in time or no frame for too long; `stalled`: the peer
   * takes nothing of what is sent; `failed`: a fault of this side, in `error`.
   */
  readonly cause: 'closed' | 'peer' | 'lost' | 'violation' | 'silent' | 'stalled' | 'failed';
  /** Readable, maybe empty. */
  readonly reason: string;
  /** What was thrown, when the cause is `failed`. */
  readonly error?: unknown;
}

/** What a connection is made of. */
export interface ConnectionOptions {
  readonly transport: Transport;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Differences from `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /** Gets what the peer asks for; without it, every request is rejected as unknown endpoint. */
  readonly onChannelRequest?: (request: ChannelRequest) => void;
  /** Told once what the peer's Hello says of it, readable and maybe empty. */
  readonly onHello?: (info: string) => void;
  /** Told once, when the connection has ended and its channels know. */
  readonly onClosed?: (end: ConnectionEnd) => void;
  /** What Hello tells of this side, as `corral-agent/1.2.3`; at most 4,096 bytes, by default nothing. */
  readonly info?: string;
  /** Whether the peer may be of the first generation, which forgets unread data on ChannelClosed; it may turn out that it is not. */
  readonly delayChannelClosed?: boolean;
  /** How often to Ping, in milliseconds; 0, the default: only where channels carry data, to know the round trip. */
  readonly pingIntervalMs?: number;
  /** Runs something after a delay, for frames held back; without it they wait for the next tick. */
  readonly schedule?: (run: () => void, delayMs: number) => void;
}
