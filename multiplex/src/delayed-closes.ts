import type { ChannelCore } from './channel-core.ts';
import type { RoundTrip } from './round-trip.ts';

/** How long an unanswered Ping says something about the round trip. */
const pingPatienceMs = 5_000;

/** What becomes of a ChannelClosed that was held back. */
export interface DelayedCloseEffects {
  /** It may go out now. */
  release(core: ChannelCore, reason: string): void;
  /** It will be due at this time. */
  wakeAt(atMs: number): void;
}

/** The ends of streams that wait until a peer that forgets unread data has had time to read it. */
export class DelayedCloses {
  readonly #roundTrip: RoundTrip;
  readonly #effects: DelayedCloseEffects;
  #reasons: Map<ChannelCore, string> | undefined;

  constructor(roundTrip: RoundTrip, effects: DelayedCloseEffects) {
    this.#roundTrip = roundTrip;
    this.#effects = effects;
  }

  /** Holds the end of a channel's stream back, or releases it at once when it is due. */
  delay(core: ChannelCore, reason: string, nowMs: number): void {
    this.#reasons ??= new Map();
    this.#reasons.set(core, reason);
    this.sendIfDue(core, nowMs);
  }

  /** Forgets a channel whose direction is over. */
  drop(core: ChannelCore): void {
    this.#reasons?.delete(core);
  }

  /** Releases everything, due or not. */
  sendAll(): void {
    for (const [core, reason] of this.#reasons ?? []) this.#effects.release(core, reason);
  }

  /** Releases everything that is due. */
  sendDue(nowMs: number): void {
    if (this.#reasons === undefined) return;
    for (const core of this.#reasons.keys()) this.sendIfDue(core, nowMs);
  }

  /** Releases one channel when it is due, else asks to be woken when that can be told. */
  sendIfDue(core: ChannelCore, nowMs: number): void {
    const reason = this.#reasons?.get(core);
    if (reason === undefined || core.ackTracker === undefined || core.send === undefined) return;
    const roundTripMs = this.#roundTrip.atLeastMs(nowMs, pingPatienceMs);
    const atMs = core.ackTracker.dueAtMs(core.send, roundTripMs);
    if (atMs <= nowMs) this.#effects.release(core, reason);
    else if (atMs !== Infinity) this.#effects.wakeAt(atMs);
  }
}
