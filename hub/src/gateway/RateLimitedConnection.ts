import { MultiplexConnection, type Channel } from '@corral/multiplex';
import { ChannelOpenQueue, type ChannelOpenLimits } from './channel-open-queue.ts';

/** What each kind of peer accepts. An unknown peer may be an agent of 2026-08, which ends the connection beyond these limits. */
const limits = {
  unknown: { unanswered: 32, perSecond: 60 },
  /** Our agent accepts 2,000 control frames a second, and a channel needs three or four. */
  ours: { unanswered: 64, perSecond: 500 },
  firstGeneration: { unanswered: Infinity, perSecond: Infinity },
} as const satisfies Record<string, ChannelOpenLimits>;

/** Which program the peer runs. */
export type PeerKind = keyof typeof limits;

/** A connection that requests channels no faster than its peer accepts them. */
export class RateLimitedConnection extends MultiplexConnection {
  #queue: ChannelOpenQueue | undefined;
  /** Which program the peer runs, as far as known. */
  peerKind: PeerKind = 'unknown';

  /** As `MultiplexConnection.openChannel`, but queued: see `ChannelOpenQueue.open`. */
  override openChannel(endpoint: string, options?: { readonly signal?: AbortSignal }): Promise<Channel> {
    this.#queue ??= new ChannelOpenQueue(
      (requested) => super.openChannel(requested),
      () => limits[this.peerKind],
    );
    return this.#queue.open(endpoint, options?.signal);
  }
}
