import { Channels } from './channels.ts';
import type { ChannelEffects } from './channels.ts';
import { ProtocolViolation } from './errors.ts';
import { decodeFrame } from './frame.ts';
import type { Frame } from './frame.ts';
import { release } from './buffer-tracking.ts';
import type { Limits } from './limits.ts';
import { toBytesWithin, toReadableText } from './text.ts';
import { Wire } from './wire.ts';
import type { WireEffects } from './wire.ts';

/** How programs of this house begin the info of their Hello; none of them forgets unread data. */
const soundInfo = 'corral-';

/** What the session makes happen; called from inside its methods, in the order of the wire. */
export interface SessionEffects extends ChannelEffects, WireEffects {
  /** The peer said Hello. */
  greeted(info: string): void;
  /** The peer said farewell. */
  peerClosed(reason: string): void;
}

/** What a session is made for. */
export interface SessionSettings {
  readonly limits: Limits;
  /** Whether the peer forgets unread data on ChannelClosed. */
  readonly delayChannelClosed: boolean;
  /** How often to Ping, in milliseconds; 0: only where channels carry data. */
  readonly pingIntervalMs: number;
  /** What Hello tells of this side. */
  readonly info: string;
}

/**
 * The protocol as a state machine: frames and times in, effects out. It keeps no payload and knows no clock. `receive`
 * throws ProtocolViolation, after which only `close` may be called.
 */
export class Session {
  readonly #wire: Wire;
  readonly #effects: SessionEffects;
  readonly #settings: SessionSettings;
  /** The channels and what can be done with them. */
  readonly channels: Channels;
  /** Whether the peer has said Hello. */
  isGreeted = false;

  constructor(settings: SessionSettings, effects: SessionEffects, nowMs: number) {
    this.#effects = effects;
    this.#settings = settings;
    this.#wire = new Wire(settings.limits, effects, nowMs);
    this.channels = new Channels(this.#wire, effects, settings.delayChannelClosed);
  }

  /** The smoothed round trip in milliseconds; undefined before the first measurement. */
  get smoothedRttMs(): number | undefined {
    return this.#wire.roundTrip.smoothedMs;
  }

  /** Says Hello. */
  start(): void {
    const { info, limits } = this.#settings;
    this.#wire.send({ kind: 'Hello', info: toBytesWithin(info, limits.maxInfoBytes) });
  }

  /** Takes one message in, or its first part, of which `missingBytes` follow; only what `beginsData` may come in parts. */
  receive(bytes: Uint8Array, missingBytes: number, nowMs: number): void {
    if (bytes.length + missingBytes > this.#wire.limits.maxFrameBytes)
      throw new ProtocolViolation('frame is too large');
    const frame = decodeFrame(bytes);
    // Channels count credits themselves: one that gives back what was sent costs nothing.
    if (frame.kind !== 'ChannelData' && frame.kind !== 'ChannelAdjust') this.#wire.takeControl(nowMs);
    this.#dispatch(frame, missingBytes, nowMs);
    // Data belongs to its channel from here on; of all others nothing is kept but copies.
    if (frame.kind !== 'ChannelData') release(bytes);
  }

  /** Takes the next part of the message in that came last. */
  receivePart(bytes: Uint8Array, nowMs: number): void {
    this.channels.receivePart(bytes, nowMs);
  }

  /** Counts what came beside the frames like a control frame. */
  ignore(nowMs: number): void {
    this.#wire.takeControl(nowMs);
  }

  /** Drives what depends on time alone. */
  tick(nowMs: number): void {
    const { pingIntervalMs } = this.#settings;
    if (pingIntervalMs > 0) this.#wire.pingIfDue(nowMs, pingIntervalMs);
    this.channels.releaseDue(nowMs);
  }

  /** Says farewell; every Ping was answered when it came. */
  close(reason: string): void {
    this.#wire.send({ kind: 'Close', reason: this.#wire.reasonBytes(reason) });
  }

  #dispatch(frame: Frame, missingBytes: number, nowMs: number): void {
    switch (frame.kind) {
      case 'Ping':
        return this.#wire.send({ kind: 'Pong' });
      case 'Pong':
        return this.#pong(nowMs);
      case 'Hello':
        return this.#hello(frame.info);
      case 'Close':
        return this.#effects.peerClosed(this.#wire.reasonText(frame.reason));
      default:
        return this.channels.receive(frame, missingBytes, nowMs);
    }
  }

  #hello(info: Uint8Array): void {
    if (this.isGreeted) throw new ProtocolViolation('second Hello');
    if (info.length > this.#wire.limits.maxInfoBytes) throw new ProtocolViolation('Hello info is too long');
    this.isGreeted = true;
    const text = toReadableText(info);
    if (text.startsWith(soundInfo)) this.channels.trustPeer();
    this.#effects.greeted(text);
  }

  #pong(nowMs: number): void {
    if (!this.#wire.roundTrip.answered(nowMs)) throw new ProtocolViolation('Pong without Ping');
  }
}
