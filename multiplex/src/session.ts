import { Channels } from './channels.ts';
import type { ChannelEffects } from './channels.ts';
import { ProtocolViolation } from './errors.ts';
import { decodeFrame } from './frame.ts';
import type { Frame } from './frame.ts';
import { release } from './buffer-tracking.ts';
import type { Limits } from './limits.ts';
import { toBytesWithin, toReadableText } from './text.ts';
import { SessionContext } from './session-context.ts';
import type { FrameOutput } from './session-context.ts';

/** How the Hello info of Corral's own programs begins; none of them drops unread data on ChannelClosed. */
const drainingInfoPrefix = 'corral-';

/** What the session causes; called from inside its methods, in the order of the frames. */
export interface SessionEffects extends ChannelEffects, FrameOutput {
  /** The Hello of the peer arrived. */
  helloReceived(info: string): void;
  /** The Close of the peer arrived. */
  peerClosed(reason: string): void;
}

/** The settings of a session. */
export interface SessionSettings {
  readonly limits: Limits;
  /** Whether the peer may drop unread data on ChannelClosed. */
  readonly delayChannelClosed: boolean;
  /** How often to Ping, in milliseconds; 0: only where channels carry data. */
  readonly pingIntervalMs: number;
  /** Ping after sending nothing for this long, in milliseconds; 0: never. */
  readonly pingWhenQuietMs: number;
  /** The info of this side's Hello. */
  readonly info: string;
}

/**
 * The protocol as a state machine: frames and times in, effects out. It stores no payload and reads no clock. `receive`
 * throws ProtocolViolation, after which only `close` may be called.
 */
export class Session {
  readonly #context: SessionContext;
  readonly #effects: SessionEffects;
  readonly #settings: SessionSettings;
  /** The channels of the session. */
  readonly channels: Channels;
  /** Whether the peer's Hello has arrived. */
  hasPeerHello = false;

  constructor(settings: SessionSettings, effects: SessionEffects, nowMs: number) {
    this.#effects = effects;
    this.#settings = settings;
    this.#context = new SessionContext(settings.limits, effects, nowMs);
    this.channels = new Channels(this.#context, effects, settings.delayChannelClosed);
  }

  /** The smoothed round trip in milliseconds; undefined before the first measurement. */
  get smoothedRttMs(): number | undefined {
    return this.#context.roundTrip.smoothedMs;
  }

  /** Sends Hello. */
  start(): void {
    const { info, limits } = this.#settings;
    this.#context.send({ kind: 'Hello', info: toBytesWithin(info, limits.maxInfoBytes) });
  }

  /** Receives one message, or its first part, of which `missingBytes` follow; only data frames may come in parts. */
  receive(bytes: Uint8Array, missingBytes: number, nowMs: number): void {
    if (bytes.length + missingBytes > this.#context.limits.maxFrameBytes)
      throw new ProtocolViolation('frame is too large');
    const frame = decodeFrame(bytes);
    this.#count(frame, nowMs);
    this.#dispatch(frame, missingBytes, nowMs);
    // The bytes of a data frame belong to its channel now; other frames keep only copies.
    if (frame.kind !== 'ChannelData') release(bytes);
  }

  /** Receives the next part of the last message. */
  receivePart(bytes: Uint8Array, nowMs: number): void {
    this.channels.receivePart(bytes, nowMs);
  }

  /** Counts a message that is no frame as a Ping. */
  ignore(nowMs: number): void {
    this.#context.countPing(nowMs);
  }

  /** Does what depends on time alone. */
  tick(nowMs: number): void {
    const { pingIntervalMs, pingWhenQuietMs } = this.#settings;
    if (pingIntervalMs > 0) this.#context.pingIfDue(nowMs, pingIntervalMs);
    if (pingWhenQuietMs > 0) this.#context.pingIfQuiet(nowMs, pingWhenQuietMs);
    this.channels.sendDue(nowMs);
  }

  /** Sends Close. */
  close(reason: string): void {
    this.#context.send({ kind: 'Close', reason: this.#context.reasonBytes(reason) });
  }

  /** Channels count credits themselves: one that gives back what was sent costs nothing. */
  #count({ kind }: Frame, nowMs: number): void {
    if (kind === 'Ping') this.#context.countPing(nowMs);
    else if (kind !== 'ChannelData' && kind !== 'ChannelAdjust') this.#context.countControlFrame(nowMs);
  }

  #dispatch(frame: Frame, missingBytes: number, nowMs: number): void {
    switch (frame.kind) {
      case 'Ping':
        return this.#context.send({ kind: 'Pong' });
      case 'Pong':
        return this.#pong(nowMs);
      case 'Hello':
        return this.#hello(frame.info);
      case 'Close':
        return this.#effects.peerClosed(this.#context.reasonText(frame.reason));
      default:
        return this.channels.receive(frame, missingBytes, nowMs);
    }
  }

  #hello(info: Uint8Array): void {
    if (this.hasPeerHello) throw new ProtocolViolation('second Hello');
    if (info.length > this.#context.limits.maxInfoBytes)
      throw new ProtocolViolation('Hello info is too long');
    this.hasPeerHello = true;
    const text = toReadableText(info);
    if (text.startsWith(drainingInfoPrefix)) this.channels.disableDelayedClose();
    this.#effects.helloReceived(text);
  }

  #pong(nowMs: number): void {
    if (!this.#context.roundTrip.answered(nowMs)) throw new ProtocolViolation('Pong without Ping');
  }
}
