import type { ChannelCore } from './channel-core.ts';
import type { ChannelTable } from './channel-table.ts';
import { SendWindow, startBytes, startFrames } from './credit.ts';
import { ProtocolViolation } from './errors.ts';
import type { Frame } from './frame.ts';
import { AckTracker } from './ack-tracker.ts';
import { toText } from './text.ts';
import type { SessionContext } from './session-context.ts';

type FrameOf<Kind extends Frame['kind']> = Extract<Frame, { kind: Kind }>;

/** What happens to channels before they are open. */
export interface HandshakeEffects {
  /** The peer requests a channel; answer it by accept or reject with `remoteId`. */
  requested(remoteId: number, endpoint: string, send: SendWindow): void;
  /** The peer accepted a request; the owner must be set before returning. */
  opened(core: ChannelCore): void;
  /** The peer rejected a request. */
  rejected(core: ChannelCore, reason: string): void;
}

/** Opens the channels of one session: the requests of both sides and their answers. */
export class ChannelHandshake {
  readonly #context: SessionContext;
  readonly #table: ChannelTable;
  readonly #effects: HandshakeEffects;
  /** Whether acknowledgements of new channels are tracked, because their ChannelClosed is delayed. */
  tracksAcks: boolean;

  constructor(context: SessionContext, table: ChannelTable, effects: HandshakeEffects, tracksAcks: boolean) {
    this.#context = context;
    this.#table = table;
    this.#effects = effects;
    this.tracksAcks = tracksAcks;
  }

  /** Requests a channel of the peer; undefined when the limit is reached. */
  request(endpoint: Uint8Array): ChannelCore | undefined {
    if (this.#table.isFull) return undefined;
    const core = this.#table.add();
    this.#context.send({
      kind: 'ChannelRequest',
      senderId: core.localId,
      frameCredit: startFrames,
      byteCredit: startBytes,
      endpoint,
    });
    return core;
  }

  /** Cancels a request; when the peer accepts it later, the channel is closed at once. */
  cancel(core: ChannelCore): void {
    if (core.phase === 'requested') core.phase = 'cancelled';
  }

  /** Accepts a request of the peer; the owner must be set before the next message is received. */
  accept(remoteId: number, send: SendWindow): ChannelCore {
    this.#table.removeRequest(remoteId);
    const core = this.#table.add();
    this.#open(core, remoteId, send);
    this.#context.send({
      kind: 'ChannelAccept',
      receiverId: remoteId,
      senderId: core.localId,
      frameCredit: startFrames,
      byteCredit: startBytes,
    });
    return core;
  }

  /** Rejects a request of the peer with a readable reason. It counts as so many further control frames. */
  reject(remoteId: number, reason: string, frames: number = this.#context.limits.framesPerRejection): void {
    this.#table.removeRequest(remoteId);
    this.#context.chargeControlFrames(frames);
    this.#context.send({
      kind: 'ChannelReject',
      receiverId: remoteId,
      reason: this.#context.reasonBytes(reason),
    });
  }

  /** The peer requests a channel. */
  requested(frame: FrameOf<'ChannelRequest'>): void {
    const { senderId } = frame;
    this.#requireFresh(senderId);
    const endpoint = toText(frame.endpoint);
    if (frame.endpoint.length > this.#context.limits.maxEndpointBytes) {
      return this.reject(senderId, 'channel endpoint too large');
    }
    if (endpoint === undefined) return this.reject(senderId, 'channel endpoint is not UTF-8');
    if (this.#table.isFull) return this.reject(senderId, 'connection channel limit reached');
    this.#table.addRequest(senderId);
    this.#effects.requested(senderId, endpoint, new SendWindow(frame.frameCredit, frame.byteCredit));
  }

  /** The peer accepted a request; returns the channel when the request was cancelled. */
  accepted(frame: FrameOf<'ChannelAccept'>): ChannelCore | undefined {
    const core = this.#undecided(frame.receiverId);
    this.#requireFresh(frame.senderId);
    const isWanted = core.phase === 'requested';
    this.#open(core, frame.senderId, new SendWindow(frame.frameCredit, frame.byteCredit));
    if (!isWanted) return core;
    this.#effects.opened(core);
    return undefined;
  }

  /** The peer rejected a request. */
  rejected(frame: FrameOf<'ChannelReject'>): void {
    const core = this.#undecided(frame.receiverId);
    const reason = this.#context.reasonText(frame.reason);
    this.#table.remove(core);
    if (core.phase === 'requested') this.#effects.rejected(core, reason);
  }

  #requireFresh(remoteId: number): void {
    if (remoteId === 0 || this.#table.hasRemote(remoteId)) {
      throw new ProtocolViolation('channel id is not fresh');
    }
  }

  #undecided(receiverId: number): ChannelCore {
    const core = this.#table.find(receiverId);
    if (core === undefined || core.phase === 'open') {
      throw new ProtocolViolation('answer without channel request');
    }
    return core;
  }

  #open(core: ChannelCore, remoteId: number, send: SendWindow): void {
    core.phase = 'open';
    core.remoteId = remoteId;
    core.send = send;
    if (this.tracksAcks) core.ackTracker = new AckTracker(send);
  }
}
