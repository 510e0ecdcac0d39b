import type { Channel } from './channel.ts';
import type { ConnectionEnd, ConnectionOptions } from './connection-options.ts';
import { SessionDriver } from './session-driver.ts';

/** One connection to a peer. Its owner calls `tick` about once a second: one interval serves thousands. */
export class MultiplexConnection {
  readonly #driver: SessionDriver;

  /** Sends Hello at once. */
  constructor(options: ConnectionOptions) {
    this.#driver = new SessionDriver(options);
  }

  /**
   * Requests a channel of the peer. Rejected with ChannelRejection, whose message is the peer's reason, with
   * ConnectionClosure, or with the signal's reason; without a signal it waits as long as the connection lives.
   */
  openChannel(endpoint: string, options?: { signal?: AbortSignal }): Promise<Channel> {
    return this.#driver.openChannel(endpoint, options?.signal);
  }

  /** Detects silent and stalled peers, pings, and sends delayed frames; does nothing after the end. */
  tick(): void {
    this.#driver.tick();
  }

  /** Stops delaying ChannelClosed: the peer is known to keep unread data when it arrives. */
  disableDelayedClose(): void {
    this.#driver.disableDelayedClose();
  }

  /** Ends the connection and all its channels: a Close frame with this reason, then the end of the transport. */
  close(reason: string): void {
    this.#driver.close(reason);
  }

  /** Fulfilled when the connection has ended, never rejected. */
  get closed(): Promise<ConnectionEnd> {
    return this.#driver.closed;
  }

  /** How the connection ended; undefined while it is open. */
  get end(): ConnectionEnd | undefined {
    return this.#driver.end;
  }

  /** When the peer's last frame arrived (or the connection began), by the clock of the options. */
  get lastFrameAtMs(): number {
    return this.#driver.lastFrameAtMs;
  }

  /** The smoothed round trip in milliseconds; undefined before the first measurement. */
  get smoothedRttMs(): number | undefined {
    return this.#driver.smoothedRttMs;
  }

  /** Channels that are open or not read to their end, and undecided requests, in both directions. */
  get channelCount(): number {
    return this.#driver.channelCount;
  }
}
