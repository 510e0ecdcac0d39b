import type { ChannelCore } from './channel-core.ts';
import { ChannelTable } from './channel-table.ts';
import { ProtocolViolation } from './errors.ts';
import type { Frame } from './frame.ts';
import { DelayedCloses } from './delayed-closes.ts';
import { ReceiveFlowControl } from './receive-flow-control.ts';
import { release } from './buffer-tracking.ts';
import { ChannelHandshake } from './channel-handshake.ts';
import type { HandshakeEffects } from './channel-handshake.ts';
import type { OutgoingData, SessionContext } from './session-context.ts';

type FrameOf<Kind extends Frame['kind']> = Extract<Frame, { kind: Kind }>;
type ChannelFrame = Exclude<Frame, { kind: 'Hello' | 'Close' | 'Ping' | 'Pong' }>;

/** What the channels cause. */
export interface ChannelEffects extends HandshakeEffects {
  /** The session should tick at this time: a delayed ChannelClosed becomes due. */
  wakeAt(atMs: number): void;
}

/** The channels of one session: opening, sending, receiving and ending. */
export class Channels {
  readonly #context: SessionContext;
  readonly #table: ChannelTable;
  readonly #flowControl: ReceiveFlowControl;
  readonly #delayedCloses: DelayedCloses | undefined;
  /** The channel whose data frame is still arriving. */
  #partialCore: ChannelCore | undefined;
  /** Credits that may still arrive for data frames sent on channels that are gone. */
  #lateCredits = 0;
  /** Opens channels. */
  readonly handshake: ChannelHandshake;

  constructor(context: SessionContext, effects: ChannelEffects, delayChannelClosed: boolean) {
    this.#context = context;
    this.#table = new ChannelTable(context.limits.maxChannels);
    this.handshake = new ChannelHandshake(context, this.#table, effects, delayChannelClosed);
    this.#flowControl = new ReceiveFlowControl(context, this.#table, delayChannelClosed);
    if (delayChannelClosed) {
      this.#delayedCloses = new DelayedCloses(context.roundTrip, {
        send: (core, reason) => this.finishNow(core, reason),
        wakeAt: (atMs) => effects.wakeAt(atMs),
      });
    }
  }

  /** Live channels and undecided requests, both directions together. */
  get count(): number {
    return this.#table.count;
  }

  /** Every channel of the connection. */
  cores(): Iterable<ChannelCore> {
    return this.#table.cores();
  }

  /** Sends one payload, for which there must be credit. */
  data(core: ChannelCore, data: OutgoingData, nowMs: number): void {
    const sizeBytes = data.payload.length + (data.head?.length ?? 0);
    core.send?.spend(sizeBytes);
    this.#context.sendData(core.remoteId, data);
    if (core.ackTracker === undefined) return;
    core.ackTracker.sent(sizeBytes, nowMs);
    this.#context.measure(nowMs);
  }

  /** The application consumed `bytes` in `frames` frames of the channel's buffer. */
  consumed(core: ChannelCore, frames: number, bytes: number, nowMs: number): void {
    core.receive.consume(frames, bytes);
    if (core.isReceiving) this.#flowControl.topUp(core, nowMs);
    this.#removeIfDone(core);
  }

  /** Ends the sending direction by ChannelClosed, delayed where the peer needs it. */
  finish(core: ChannelCore, reason: string, nowMs: number): void {
    if (!core.isSending || core.isFinishing) return;
    core.isFinishing = true;
    if (core.ackTracker === undefined || !core.ackTracker.hasSent) return this.finishNow(core, reason);
    this.#context.measure(nowMs);
    this.#delayedCloses?.delay(core, reason, nowMs);
  }

  /** Ends the sending direction at once, even where the peer has not read everything. */
  finishNow(core: ChannelCore, reason: string): void {
    if (!core.isSending) return;
    core.isSending = false;
    this.#delayedCloses?.drop(core);
    this.#context.send({
      kind: 'ChannelClosed',
      receiverId: core.remoteId,
      reason: this.#context.reasonBytes(reason),
    });
    this.#finishIfDone(core);
  }

  /** Ends the receiving direction by ChannelClose and drops what is buffered. */
  stop(core: ChannelCore, reason: string): void {
    core.receive.consume(core.receive.queuedFrames, core.receive.queuedBytes);
    if (core.isReceiving) {
      core.isReceiving = false;
      core.isReadingStopped = true;
      this.#context.send({
        kind: 'ChannelClose',
        receiverId: core.remoteId,
        reason: this.#context.reasonBytes(reason),
      });
    }
    this.#finishIfDone(core);
  }

  /** Delays no ChannelClosed from now on, and sends those that are delayed. */
  disableDelayedClose(): void {
    this.handshake.tracksAcks = false;
    for (const core of this.#table.cores()) core.ackTracker = undefined;
    this.#delayedCloses?.sendAll();
  }

  /** Sends every delayed ChannelClosed that is due. */
  sendDue(nowMs: number): void {
    this.#delayedCloses?.sendDue(nowMs);
  }

  /** Receives one frame, of which `missingBytes` of payload follow; throws ProtocolViolation. */
  receive(frame: ChannelFrame, missingBytes: number, nowMs: number): void {
    switch (frame.kind) {
      case 'ChannelData':
        return this.#data(frame, missingBytes, nowMs);
      case 'ChannelAdjust':
        return this.#adjust(frame, nowMs);
      case 'ChannelRequest':
        return this.handshake.requested(frame);
      case 'ChannelAccept':
        return this.#accepted(frame);
      case 'ChannelReject':
        return this.handshake.rejected(frame);
      case 'ChannelClose':
        return this.#peerStopped(frame);
      case 'ChannelClosed':
        return this.#peerEnded(frame);
    }
  }

  /** Receives the next part of the payload whose frame came last. */
  receivePart(payload: Uint8Array, nowMs: number): void {
    if (this.#partialCore === undefined) release(payload);
    else this.#part(this.#partialCore, payload, nowMs);
  }

  #accepted(frame: FrameOf<'ChannelAccept'>): void {
    const cancelled = this.handshake.accepted(frame);
    if (cancelled === undefined) return;
    this.finishNow(cancelled, 'cancelled');
    this.stop(cancelled, 'cancelled');
  }

  /** The open channel of a frame, or undefined when it is gone. */
  #opened(receiverId: number): ChannelCore | undefined {
    const core = this.#table.find(receiverId);
    if (core !== undefined && core.phase !== 'open') {
      throw new ProtocolViolation('frame for a channel that is not open');
    }
    return core;
  }

  #data(frame: FrameOf<'ChannelData'>, missingBytes: number, nowMs: number): void {
    const core = this.#opened(frame.receiverId);
    this.#partialCore = undefined;
    if (core === undefined || (!core.isReceiving && !core.isReadingStopped)) {
      release(frame.payload);
      return this.#flowControl.countStray(nowMs);
    }
    core.receive.begin(frame.payload.length + missingBytes);
    if (missingBytes > 0) this.#partialCore = core;
    this.#part(core, frame.payload, nowMs);
  }

  #part(core: ChannelCore, payload: Uint8Array, nowMs: number): void {
    core.receive.receive(payload.length);
    if (!core.isReceiving) core.receive.consume(1, payload.length);
    else if (payload.length === 0) this.consumed(core, 1, 0, nowMs);
    else return core.owner?.delivered(payload);
    release(payload);
  }

  #adjust(frame: FrameOf<'ChannelAdjust'>, nowMs: number): void {
    const core = this.#opened(frame.receiverId);
    this.#countCredit(core, frame, nowMs);
    if (core?.send === undefined || !core.isSending) return;
    core.send.add(frame.frameCredit, frame.byteCredit);
    core.ackTracker?.credited(frame.frameCredit, frame.byteCredit, core.send, nowMs);
    if (core.isFinishing) this.#delayedCloses?.sendIfDue(core, nowMs);
    else core.owner?.credited();
  }

  /** A credit costs nothing while it gives back what was sent on its channel, or may have been sent on one that is gone. */
  #countCredit(
    core: ChannelCore | undefined,
    { frameCredit, byteCredit }: FrameOf<'ChannelAdjust'>,
    nowMs: number,
  ): void {
    if (core === undefined && this.#lateCredits > 0) this.#lateCredits -= 1;
    else if (core?.send?.settle(frameCredit, byteCredit) !== true) this.#context.countControlFrame(nowMs);
  }

  #peerStopped(frame: FrameOf<'ChannelClose'>): void {
    const core = this.#opened(frame.receiverId);
    const reason = this.#context.reasonText(frame.reason);
    if (core === undefined || !core.isSending) return;
    core.isSending = false;
    this.#delayedCloses?.drop(core);
    core.owner?.peerStopped(reason);
    this.#finishIfDone(core);
  }

  #peerEnded(frame: FrameOf<'ChannelClosed'>): void {
    const core = this.#opened(frame.receiverId);
    const reason = this.#context.reasonText(frame.reason);
    if (core === undefined) return;
    const wasReceiving = core.isReceiving;
    core.isReceiving = false;
    core.isReadingStopped = false;
    if (!wasReceiving) return;
    core.owner?.peerEnded(reason);
    this.#finishIfDone(core);
  }

  #finishIfDone(core: ChannelCore): void {
    if (!core.isFinished) return;
    core.owner?.finished();
    this.#removeIfDone(core);
  }

  /** Removes a finished channel once its last byte was consumed; until then its buffer counts as memory of the connection. */
  #removeIfDone(core: ChannelCore): void {
    if (!core.isFinished || core.receive.queuedFrames > 0) return;
    if (!this.#table.remove(core)) return;
    this.#lateCredits += core.send?.unreturnedFrames ?? 0;
    if (core.isReadingStopped) this.#flowControl.expectStray(core.receive.leftFrames);
  }
}
