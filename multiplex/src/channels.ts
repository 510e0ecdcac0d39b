import type { ChannelCore } from './channel-core.ts';
import { ChannelTable } from './channel-table.ts';
import { ProtocolViolation } from './errors.ts';
import type { Frame } from './frame.ts';
import { DelayedCloses } from './delayed-closes.ts';
import { ReceiveFlowControl } from './receive-flow-control.ts';
import { release } from './buffer-tracking.ts';
import { ChannelHandshake } from './channel-handshake.ts';
import type { HandshakeEffects } from './channel-handshake.ts';
import type { SessionContext } from './session-context.ts';

type FrameOf<Kind extends Frame['kind']> = Extract<Frame, { kind: Kind }>;
type ChannelFrame = Exclude<Frame, { kind: 'Hello' | 'Close' | 'Ping' | 'Pong' }>;

/** What the channels make happen. */
export interface ChannelEffects extends HandshakeEffects {
  /** The session should tick at this time: a ChannelClosed that was held back becomes due. */
  wakeAt(atMs: number): void;
}

/** The channels of one session: who may open, send, and end what. */
export class Channels {
  readonly #context: SessionContext;
  readonly #table: ChannelTable;
  readonly #flowControl: ReceiveFlowControl;
  readonly #delayedCloses: DelayedCloses | undefined;
  /** Whose payload is still coming in. */
  #unfinished: ChannelCore | undefined;
  /** Credits that may still arrive for data frames sent on channels that are gone. */
  #lateCredits = 0;
  /** How channels begin. */
  readonly handshake: ChannelHandshake;

  constructor(context: SessionContext, effects: ChannelEffects, delayChannelClosed: boolean) {
    this.#context = context;
    this.#table = new ChannelTable(context.limits.maxChannels);
    this.handshake = new ChannelHandshake(context, this.#table, effects, delayChannelClosed);
    this.#flowControl = new ReceiveFlowControl(context, this.#table, delayChannelClosed);
    if (delayChannelClosed) {
      this.#delayedCloses = new DelayedCloses(context.roundTrip, {
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

  /** Sends one payload, for which there must be credit; `onSent` as with Transport.send. */
  data(core: ChannelCore, payload: Uint8Array, nowMs: number, onSent?: () => void): void {
    core.send?.spend(payload.length);
    this.#context.sendData(core.remoteId, payload, onSent);
    if (core.ackTracker === undefined) return;
    core.ackTracker.sent(payload.length, nowMs);
    this.#context.measure(nowMs);
  }

  /** The application took `bytes` in `frames` frames out of the channel's buffer. */
  consumed(core: ChannelCore, frames: number, bytes: number, nowMs: number): void {
    core.receive.consume(frames, bytes);
    if (core.isReceiving) this.#flowControl.topUp(core, nowMs);
    this.#retireIfDone(core);
  }

  /** Ends the sending direction: ChannelClosed, held back where the peer needs it. */
  finish(core: ChannelCore, reason: string, nowMs: number): void {
    if (!core.isSending || core.isFinishing) return;
    core.isFinishing = true;
    if (core.ackTracker === undefined || !core.ackTracker.hasSent) return this.finishNow(core, reason);
    this.#context.measure(nowMs);
    this.#delayedCloses?.delay(core, reason, nowMs);
  }

  /** Ends the sending direction at once, whatever the peer has not read yet. */
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

  /** Ends the receiving direction: ChannelClose, and what is buffered is forgotten. */
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

  /** Holds nothing back from now on, and sends what was held back. */
  disableDelayedClose(): void {
    this.handshake.tracksAcks = false;
    for (const core of this.#table.cores()) core.ackTracker = undefined;
    this.#delayedCloses?.sendAll();
  }

  /** Sends every ChannelClosed that was held back long enough. */
  sendDue(nowMs: number): void {
    this.#delayedCloses?.sendDue(nowMs);
  }

  /** Takes one frame in, of which `missingBytes` of payload follow; throws ProtocolViolation. */
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

  /** Takes the next part of the payload in whose frame came last. */
  receivePart(payload: Uint8Array, nowMs: number): void {
    if (this.#unfinished === undefined) release(payload);
    else this.#part(this.#unfinished, payload, nowMs);
  }

  #accepted(frame: FrameOf<'ChannelAccept'>): void {
    const unwanted = this.handshake.accepted(frame);
    if (unwanted === undefined) return;
    this.finishNow(unwanted, 'cancelled');
    this.stop(unwanted, 'cancelled');
  }

  /** The open channel of a frame, or undefined when it is gone already. */
  #opened(receiverId: number): ChannelCore | undefined {
    const core = this.#table.find(receiverId);
    if (core !== undefined && core.phase !== 'open') {
      throw new ProtocolViolation('frame for a channel that is not open');
    }
    return core;
  }

  #data(frame: FrameOf<'ChannelData'>, missingBytes: number, nowMs: number): void {
    const core = this.#opened(frame.receiverId);
    this.#unfinished = undefined;
    if (core === undefined || (!core.isReceiving && !core.isReadingStopped)) {
      release(frame.payload);
      return this.#flowControl.countStray(nowMs);
    }
    core.receive.begin(frame.payload.length + missingBytes);
    if (missingBytes > 0) this.#unfinished = core;
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
    this.#retireIfDone(core);
  }

  /** A channel counts until its last byte was taken: what waits here is memory of this connection. */
  #retireIfDone(core: ChannelCore): void {
    if (!core.isFinished || core.receive.queuedFrames > 0) return;
    if (!this.#table.remove(core)) return;
    this.#lateCredits += core.send?.unreturnedFrames ?? 0;
    if (core.isReadingStopped) this.#flowControl.expectStray(core.receive.leftFrames);
  }
}
