import type { ChannelCore } from './channel-core.ts';
import { ChannelTable } from './channel-table.ts';
import { SendWindow, startBytes, startFrames } from './credit.ts';
import { ProtocolViolation } from './errors.ts';
import type { Frame } from './frame.ts';
import { HeldClosings } from './held-closings.ts';
import { SentTrail } from './sent-trail.ts';
import { toText } from './text.ts';
import type { Wire } from './wire.ts';

type FrameOf<Kind extends Frame['kind']> = Extract<Frame, { kind: Kind }>;
type ChannelFrame = Exclude<Frame, { kind: 'Hello' | 'Close' | 'Ping' | 'Pong' }>;

/** What happens to channels before they have an owner. */
export interface ChannelEffects {
  /** The peer asks for a channel; to be answered by accept or reject with `remoteId`. */
  requested(remoteId: number, endpoint: string, send: SendWindow): void;
  /** The peer accepted a request; the owner must be set before returning. */
  opened(core: ChannelCore): void;
  /** The peer refused a request. */
  rejected(core: ChannelCore, reason: string): void;
  /** The session should tick at this time: a ChannelClosed that was held back becomes due. */
  wakeAt(atMs: number): void;
}

/** The channels of one session: who may open, send, and end what. */
export class Channels {
  readonly #wire: Wire;
  readonly #effects: ChannelEffects;
  readonly #table: ChannelTable;
  readonly #held: HeldClosings | undefined;
  /** Data frames that may still be in flight for channels that are gone. */
  #strayFrames = 0;

  constructor(wire: Wire, effects: ChannelEffects, delayChannelClosed: boolean) {
    this.#wire = wire;
    this.#effects = effects;
    this.#table = new ChannelTable(wire.limits.maxChannels);
    if (delayChannelClosed) {
      this.#held = new HeldClosings(wire.roundTrip, {
        release: (core, reason) => this.finishNow(core, reason),
        wakeAt: (atMs) => effects.wakeAt(atMs),
      });
    }
  }

  /** Live channels and undecided requests, both directions together. */
  get count(): number {
    return this.#table.count;
  }

  /** Every channel that is not gone. */
  cores(): Iterable<ChannelCore> {
    return this.#table.cores();
  }

  /** Asks the peer for a channel; undefined when there are too many already. */
  request(endpoint: Uint8Array): ChannelCore | undefined {
    if (this.#table.isFull) return undefined;
    const core = this.#table.add();
    this.#wire.send({
      kind: 'ChannelRequest',
      senderId: core.localId,
      frameCredit: startFrames,
      byteCredit: startBytes,
      endpoint,
    });
    return core;
  }

  /** Nobody waits for the answer to this request any more. */
  cancel(core: ChannelCore): void {
    if (core.phase === 'requested') core.phase = 'cancelled';
  }

  /** Accepts what the peer asked for; the owner must be set before the next message is taken in. */
  accept(remoteId: number, send: SendWindow): ChannelCore {
    this.#table.withdraw(remoteId);
    const core = this.#table.add();
    this.#open(core, remoteId, send);
    this.#wire.send({
      kind: 'ChannelAccept',
      receiverId: remoteId,
      senderId: core.localId,
      frameCredit: startFrames,
      byteCredit: startBytes,
    });
    return core;
  }

  /** Refuses what the peer asked for, with a readable reason. */
  reject(remoteId: number, reason: string): void {
    this.#table.withdraw(remoteId);
    this.#wire.send({
      kind: 'ChannelReject',
      receiverId: remoteId,
      reason: this.#wire.reasonBytes(reason),
    });
  }

  /** Sends one payload, for which there must be credit. */
  data(core: ChannelCore, payload: Uint8Array, nowMs: number): void {
    core.send?.spend(payload.length);
    this.#wire.send({ kind: 'ChannelData', receiverId: core.remoteId, payload });
    if (core.trail === undefined) return;
    core.trail.sent(payload.length, nowMs);
    this.#wire.measure(nowMs);
  }

  /** The application took `bytes` in `frames` frames out of the channel's buffer. */
  consumed(core: ChannelCore, frames: number, bytes: number, nowMs: number): void {
    core.receive.consume(frames, bytes);
    if (core.isReceiving) this.#topUp(core, nowMs);
    this.#retireIfDone(core);
  }

  /** Ends the sending direction: ChannelClosed, held back where the peer needs it. */
  finish(core: ChannelCore, reason: string, nowMs: number): void {
    if (!core.isSending || core.isFinishing) return;
    core.isFinishing = true;
    if (core.trail === undefined || !core.trail.hasSent) return this.finishNow(core, reason);
    this.#wire.measure(nowMs);
    this.#held?.hold(core, reason, nowMs);
  }

  /** Ends the sending direction at once, whatever the peer has not read yet. */
  finishNow(core: ChannelCore, reason: string): void {
    if (!core.isSending) return;
    core.isSending = false;
    this.#held?.drop(core);
    this.#wire.send({
      kind: 'ChannelClosed',
      receiverId: core.remoteId,
      reason: this.#wire.reasonBytes(reason),
    });
    this.#finishIfDone(core);
  }

  /** Ends the receiving direction: ChannelClose, and what is buffered is forgotten. */
  stop(core: ChannelCore, reason: string): void {
    core.receive.consume(core.receive.queuedFrames, core.receive.queuedBytes);
    if (core.isReceiving) {
      core.isReceiving = false;
      core.isReadingStopped = true;
      this.#wire.send({
        kind: 'ChannelClose',
        receiverId: core.remoteId,
        reason: this.#wire.reasonBytes(reason),
      });
    }
    this.#finishIfDone(core);
  }

  /** Sends every ChannelClosed that was held back long enough. */
  releaseDue(nowMs: number): void {
    this.#held?.releaseDue(nowMs);
  }

  /** Takes one frame in; throws ProtocolViolation. */
  receive(frame: ChannelFrame, nowMs: number): void {
    switch (frame.kind) {
      case 'ChannelData':
        return this.#data(frame, nowMs);
      case 'ChannelAdjust':
        return this.#adjust(frame, nowMs);
      case 'ChannelRequest':
        return this.#requested(frame);
      case 'ChannelAccept':
        return this.#accepted(frame);
      case 'ChannelReject':
        return this.#rejected(frame);
      case 'ChannelClose':
        return this.#peerStopped(frame);
      case 'ChannelClosed':
        return this.#peerEnded(frame);
    }
  }

  #requested(frame: FrameOf<'ChannelRequest'>): void {
    const { senderId } = frame;
    this.#requireFresh(senderId);
    const endpoint = toText(frame.endpoint);
    if (frame.endpoint.length > this.#wire.limits.maxEndpointBytes) {
      return this.reject(senderId, 'channel endpoint too large');
    }
    if (endpoint === undefined) return this.reject(senderId, 'channel endpoint is not UTF-8');
    if (this.#table.isFull) return this.reject(senderId, 'connection channel limit reached');
    this.#table.offer(senderId);
    this.#effects.requested(senderId, endpoint, new SendWindow(frame.frameCredit, frame.byteCredit));
  }

  #requireFresh(remoteId: number): void {
    if (remoteId === 0 || this.#table.hasRemote(remoteId)) {
      throw new ProtocolViolation('channel id is not fresh');
    }
  }

  #accepted(frame: FrameOf<'ChannelAccept'>): void {
    const core = this.#undecided(frame.receiverId);
    this.#requireFresh(frame.senderId);
    const isWanted = core.phase === 'requested';
    this.#open(core, frame.senderId, new SendWindow(frame.frameCredit, frame.byteCredit));
    if (isWanted) return this.#effects.opened(core);
    this.finishNow(core, 'cancelled');
    this.stop(core, 'cancelled');
  }

  #rejected(frame: FrameOf<'ChannelReject'>): void {
    const core = this.#undecided(frame.receiverId);
    const reason = this.#wire.reasonText(frame.reason);
    this.#table.remove(core);
    if (core.phase === 'requested') this.#effects.rejected(core, reason);
  }

  #undecided(receiverId: number): ChannelCore {
    const core = this.#table.find(receiverId);
    if (core === undefined || core.phase === 'open') {
      throw new ProtocolViolation('answer without channel request');
    }
    return core;
  }

  /** The open channel of a frame, or undefined when it is gone already. */
  #opened(receiverId: number): ChannelCore | undefined {
    const core = this.#table.find(receiverId);
    if (core !== undefined && core.phase !== 'open') {
      throw new ProtocolViolation('frame for a channel that is not open');
    }
    return core;
  }

  #open(core: ChannelCore, remoteId: number, send: SendWindow): void {
    core.phase = 'open';
    core.remoteId = remoteId;
    core.send = send;
    if (this.#held !== undefined) core.trail = new SentTrail(send);
  }

  #data(frame: FrameOf<'ChannelData'>, nowMs: number): void {
    const core = this.#opened(frame.receiverId);
    if (core === undefined || (!core.isReceiving && !core.isReadingStopped)) return this.#stray(nowMs);
    core.receive.receive(frame.payload.length);
    if (!core.isReceiving) return core.receive.consume(1, frame.payload.length);
    if (frame.payload.length === 0) return this.consumed(core, 1, 0, nowMs);
    core.owner?.delivered(frame.payload);
  }

  /** Data in flight for a channel that is gone is no fault, but a stream of it is. */
  #stray(nowMs: number): void {
    if (this.#strayFrames > 0) this.#strayFrames -= 1;
    else this.#wire.takeControl(nowMs);
  }

  #adjust(frame: FrameOf<'ChannelAdjust'>, nowMs: number): void {
    const core = this.#opened(frame.receiverId);
    if (core?.send === undefined || !core.isSending) return;
    core.send.add(frame.frameCredit, frame.byteCredit);
    core.trail?.credited(frame.frameCredit, frame.byteCredit, core.send, nowMs);
    if (core.isFinishing) this.#held?.releaseIfDue(core, nowMs);
    else core.owner?.credited();
  }

  #peerStopped(frame: FrameOf<'ChannelClose'>): void {
    const core = this.#opened(frame.receiverId);
    const reason = this.#wire.reasonText(frame.reason);
    if (core === undefined || !core.isSending) return;
    core.isSending = false;
    this.#held?.drop(core);
    core.owner?.peerStopped(reason);
    this.#finishIfDone(core);
  }

  #peerEnded(frame: FrameOf<'ChannelClosed'>): void {
    const core = this.#opened(frame.receiverId);
    const reason = this.#wire.reasonText(frame.reason);
    if (core === undefined) return;
    const wasReceiving = core.isReceiving;
    core.isReceiving = false;
    core.isReadingStopped = false;
    if (!wasReceiving) return;
    core.owner?.peerEnded(reason);
    this.#finishIfDone(core);
  }

  #topUp(core: ChannelCore, nowMs: number): void {
    const { limits, roundTrip } = this.#wire;
    const before = core.receive.windowBytes;
    const grant = core.receive.topUp(nowMs, {
      roundTripMs: roundTrip.smoothedMs,
      maxFrames: limits.maxWindowFrames,
      maxBytes: Math.min(limits.maxWindowBytes, before + limits.receiveBudgetBytes - this.#table.windowBytes),
    });
    if (grant === undefined) return;
    this.#table.windowBytes += core.receive.windowBytes - before;
    this.#wire.send({
      kind: 'ChannelAdjust',
      receiverId: core.remoteId,
      frameCredit: grant.frames,
      byteCredit: grant.bytes,
    });
    this.#wire.measure(nowMs);
  }

  #finishIfDone(core: ChannelCore): void {
    if (!core.isFinished) return;
    core.owner?.finished();
    this.#retireIfDone(core);
  }

  /** A channel counts until its last byte was taken: what waits here is memory of this connection. */
  #retireIfDone(core: ChannelCore): void {
    if (!core.isFinished || core.receive.queuedFrames > 0) return;
    if (this.#table.remove(core) && core.isReadingStopped) this.#strayFrames += core.receive.leftFrames;
  }
}
