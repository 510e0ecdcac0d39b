import type { Channel } from './channel.ts';
import type { ConnectionEnd, ConnectionOptions } from './connection-options.ts';
import { Link } from './session-driver.ts';

/**
 * One connection to a peer, from Hello to the end. It starts no timer: its owner calls `tick` about once a second,
 * for thousands of connections from one interval.
 */
export class MultiplexConnection {
  readonly #link: Link;

  /** Says Hello at once. */
  constructor(options: ConnectionOptions) {
    this.#link = new Link(options);
  }

  /**
   * Asks the peer for a channel. Rejected with ChannelRejection, whose message is the peer's reason, with
   * ConnectionClosure, or with the signal's reason; without a signal it waits as long as the connection lives.
   */
  openChannel(endpoint: string, options?: { signal?: AbortSignal }): Promise<Channel> {
    return this.#link.openChannel(endpoint, options?.signal);
  }

  /** Notices silence and stalled peers, pings, and sends what was held back; does nothing after the end. */
  tick(): void {
    this.#link.tick();
  }

  /** The peer is known to keep what it has not read when ChannelClosed comes: nothing is held back towards it any more. */
  disableDelayedClose(): void {
    this.#link.disableDelayedClose();
  }

  /** Ends the connection and all its channels: a Close frame with this reason, then the end of the transport. */
  close(reason: string): void {
    this.#link.close(reason);
  }

  /** Fulfilled when the connection has ended, never rejected. */
  get closed(): Promise<ConnectionEnd> {
    return this.#link.closed;
  }

  /** How the connection ended; undefined while it lives. */
  get end(): ConnectionEnd | undefined {
    return this.#link.end;
  }

  /** When the last frame of the peer came (or the connection began), by the clock passed in. */
  get lastFrameAtMs(): number {
    return this.#link.lastFrameAtMs;
  }

  /** The smoothed round trip in milliseconds; undefined before the first measurement. */
  get smoothedRttMs(): number | undefined {
    return this.#link.smoothedRttMs;
  }

  /** Channels that are open or not read to their end, and undecided requests; both directions. */
  get channelCount(): number {
    return this.#link.channelCount;
  }
}
