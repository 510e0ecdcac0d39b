import type { ChannelCore } from './channel-core.ts';
import type { RoundTrip } from './round-trip.ts';

/** An unanswered Ping older than this no longer raises the estimate of the round trip. */
const maxPingAgeMs = 5_000;

/** What a delayed ChannelClosed causes. */
export interface DelayedCloseEffects {
  /** Sends it now. */
  send(core: ChannelCore, reason: string): void;
  /** It becomes due at this time. */
  wakeAt(atMs: number): void;
}

/** Delays ChannelClosed towards peers that drop unread data when it arrives, until they have had time to read. */
export class DelayedCloses {
  readonly #roundTrip: RoundTrip;
  readonly #effects: DelayedCloseEffects;
  #reasons: Map<ChannelCore, string> | undefined;

  constructor(roundTrip: RoundTrip, effects: DelayedCloseEffects) {
    this.#roundTrip = roundTrip;
    this.#effects = effects;
  }

  /** Delays the ChannelClosed of a channel, or sends it at once when it is due. */
  delay(core: ChannelCore, reason: string, nowMs: number): void {
    this.#reasons ??= new Map();
    this.#reasons.set(core, reason);
    this.sendIfDue(core, nowMs);
  }

  /** Forgets a channel whose sending direction has ended. */
  drop(core: ChannelCore): void {
    this.#reasons?.delete(core);
  }

  /** Sends every delayed ChannelClosed, due or not. */
  sendAll(): void {
    for (const [core, reason] of this.#reasons ?? []) this.#effects.send(core, reason);
  }

  /** Sends every ChannelClosed that is due. */
  sendDue(nowMs: number): void {
    if (this.#reasons === undefined) return;
    for (const core of this.#reasons.keys()) this.sendIfDue(core, nowMs);
  }

  /** Sends the ChannelClosed of one channel when it is due, else schedules a wake-up when the time is known. */
  sendIfDue(core: ChannelCore, nowMs: number): void {
    const reason = this.#reasons?.get(core);
    if (reason === undefined || core.ackTracker === undefined || core.send === undefined) return;
    const roundTripMs = this.#roundTrip.atLeastMs(nowMs, maxPingAgeMs);
    const atMs = core.ackTracker.dueAtMs(core.send, roundTripMs);
    if (atMs <= nowMs) this.#effects.send(core, reason);
    else if (atMs !== Infinity) this.#effects.wakeAt(atMs);
  }
}
