import { channelReasons, resumableForwards } from '@corral/contract';
import { ChannelRejection, MultiplexConnection, type Channel } from '@corral/multiplex';
import { ChannelOpenQueue, type ChannelOpenLimits } from './channel-open-queue.ts';

/** How many channel requests each kind of peer accepts. An unknown peer may be an agent of 2026-08, which ends the connection beyond these limits. */
const limits = {
  unknown: { unanswered: 32, perSecond: 60 },
  /** Corral's agent accepts 2,000 control frames a second, and a channel needs three or four. */
  corral: { unanswered: 64, perSecond: 500 },
  /** It takes any number, but what it answers counts for the limit of its own control frames: three for a port that is closed. */
  firstGeneration: { unanswered: Infinity, perSecond: 500 },
} as const satisfies Record<string, ChannelOpenLimits>;

/** Which program the peer runs. */
export type PeerKind = keyof typeof limits;

/** A connection that requests channels no faster than its peer accepts them. */
export class RateLimitedConnection extends MultiplexConnection {
  #queue: ChannelOpenQueue | undefined;
  #info: string | undefined;
  #hello: PromiseWithResolvers<void> | undefined;
  /** Which program the peer runs, as far as known. */
  peerKind: PeerKind = 'unknown';

  /** The info of the Hello of the peer has arrived. Corral's own programs identify themselves; the others are recognised by their calls, or never. */
  identified(info: string): void {
    this.#info = info;
    if (info.startsWith('corral-')) this.peerKind = 'corral';
    this.#hello?.resolve();
  }

  /**
   * As `MultiplexConnection.openChannel`, but queued: see `ChannelOpenQueue.open`. A resumable forward is requested only of a peer whose Hello says that it serves them, since
   * others may end at an endpoint that they do not know.
   */
  override openChannel(endpoint: string, options?: { readonly signal?: AbortSignal }): Promise<Channel> {
    return resumableForwards.isEndpoint(endpoint)
      ? this.#openResumable(endpoint, options?.signal)
      : this.#open(endpoint, options?.signal);
  }

  async #openResumable(endpoint: string, signal: AbortSignal | undefined): Promise<Channel> {
    this.#hello ??= Promise.withResolvers();
    // The device may have been connected this very moment. Without a Hello the connection ends soon.
    if (this.#info === undefined) await Promise.race([this.#hello.promise, this.closed]);
    if (this.#info !== undefined && !resumableForwards.isIn(this.#info))
      throw new ChannelRejection(channelReasons.notResumable);
    return this.#open(endpoint, signal);
  }

  #open(endpoint: string, signal: AbortSignal | undefined): Promise<Channel> {
    this.#queue ??= new ChannelOpenQueue(
      (requested) => super.openChannel(requested),
      () => limits[this.peerKind],
    );
    return this.#queue.open(endpoint, signal);
  }
}
