import { MultiplexConnection, type Channel } from '@corral/multiplex';
import { Openings, type OpeningLimits } from './openings.ts';

/** What programs are known to take: those that say nothing of themselves may be agents of 2026-08, which end the connection beyond it. */
const limits = {
  unknown: { unanswered: 32, perSecond: 60 },
  /** Our agent takes 2,000 frames a second that are no data, of which a channel needs three or four. */
  ours: { unanswered: 64, perSecond: 500 },
  firstGeneration: { unanswered: Infinity, perSecond: Infinity },
} as const satisfies Record<string, OpeningLimits>;

/** Whose program is on the other side. */
export type PeerKind = keyof typeof limits;

/** A connection that asks for channels no faster than its peer takes. */
export class PacedConnection extends MultiplexConnection {
  #openings: Openings | undefined;
  /** Whose program the peer is, as far as that is known. */
  peerKind: PeerKind = 'unknown';

  /** As that of MultiplexConnection, when its turn comes: see `Openings.open`. */
  override openChannel(endpoint: string, options?: { readonly signal?: AbortSignal }): Promise<Channel> {
    this.#openings ??= new Openings(
      (wanted) => super.openChannel(wanted),
      () => limits[this.peerKind],
    );
    return this.#openings.open(endpoint, options?.signal);
  }
}
