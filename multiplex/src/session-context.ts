import { ControlFrameLimit } from './control-frame-limit.ts';
import { ProtocolViolation } from './errors.ts';
import { dataHeader, encodeFrame } from './frame.ts';
import type { Frame } from './frame.ts';
import type { Limits } from './limits.ts';
import { RoundTrip } from './round-trip.ts';
import { toBytesWithin, toReadableText } from './text.ts';

/** How often a round trip is measured where channels carry data. */
const measureIntervalMs = 5_000;

/** Sends encoded frames: the header fields, then the payload; `onSent` as in Transport.send. */
export interface FrameOutput {
  sendFrame(head: Uint8Array, payload?: Uint8Array, onSent?: () => void): void;
}

/** The payload of one frame, and a few bytes that go before it; `onSent` as in Transport.send. */
export interface OutgoingData {
  readonly head: Uint8Array | undefined;
  readonly payload: Uint8Array;
  readonly onSent: (() => void) | undefined;
}

/** What the parts of a session share: sending, the limits, and the round trip. */
export class SessionContext {
  readonly limits: Limits;
  readonly roundTrip = new RoundTrip();
  readonly #controlFrames: ControlFrameLimit;
  readonly #pings: ControlFrameLimit;
  readonly #effects: FrameOutput;
  #hasSent = false;
  #quietSinceMs: number;

  constructor(limits: Limits, effects: FrameOutput, nowMs: number) {
    this.limits = limits;
    this.#effects = effects;
    this.#quietSinceMs = nowMs;
    this.#controlFrames = new ControlFrameLimit(limits.controlFramesPerSecond, nowMs);
    this.#pings = new ControlFrameLimit(limits.pingsPerSecond, nowMs);
  }

  /** Sends one frame. */
  send(frame: Frame): void {
    this.#hasSent = true;
    this.#effects.sendFrame(encodeFrame(frame));
  }

  /** Sends one frame of data. */
  sendData(receiverId: number, { head, payload, onSent }: OutgoingData): void {
    this.#hasSent = true;
    this.#effects.sendFrame(dataHeader(receiverId, head), payload, onSent);
  }

  /** Counts one frame against the peer's rate; throws ProtocolViolation when it sends too many. */
  countControlFrame(nowMs: number): void {
    if (!this.#controlFrames.take(nowMs)) throw new ProtocolViolation('too many control frames');
  }

  /** Counts a Ping, or a message that is no frame, against both rates of the peer. */
  countPing(nowMs: number): void {
    this.countControlFrame(nowMs);
    if (!this.#pings.take(nowMs)) throw new ProtocolViolation('too many pings');
  }

  /** Charges the peer for work that its frames caused beyond themselves. */
  chargeControlFrames(frames: number): void {
    this.#controlFrames.charge(frames);
  }

  /** Sends a Ping when the last one was answered and is at least `intervalMs` old. */
  pingIfDue(nowMs: number, intervalMs: number): void {
    if (!this.roundTrip.isDue(nowMs, intervalMs)) return;
    this.roundTrip.sent(nowMs);
    this.send({ kind: 'Ping' });
  }

  /** Sends a Ping when nothing was sent in the calls of the last `quietMs` and none is unanswered. */
  pingIfQuiet(nowMs: number, quietMs: number): void {
    if (this.#hasSent) this.#quietSinceMs = nowMs;
    this.#hasSent = false;
    if (nowMs - this.#quietSinceMs >= quietMs) this.pingIfDue(nowMs, 0);
  }

  /** Measures the round trip at most every 5 s; called where data flows. */
  measure(nowMs: number): void {
    this.pingIfDue(nowMs, measureIntervalMs);
  }

  /** A reason as bytes, cut to what the peer must accept. */
  reasonBytes(reason: string): Uint8Array {
    return toBytesWithin(reason, this.limits.maxReasonBytes);
  }

  /** The peer's reason for people; throws ProtocolViolation when it is too long. */
  reasonText(reason: Uint8Array): string {
    if (reason.length > this.limits.maxReasonBytes) throw new ProtocolViolation('reason is too long');
    return toReadableText(reason);
  }
}
