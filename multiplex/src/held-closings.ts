import type { ChannelCore } from './channel-core.ts';
import type { RoundTrip } from './round-trip.ts';

/** How long an unanswered Ping says something about the round trip. */
const pingPatienceMs = 5_000;

/** What becomes of a ChannelClosed that was held back. */
export interface HeldClosingEffects {
  /** It may go out now. */
  release(core: ChannelCore, reason: string): void;
  /** It will be due at this time. */
  wakeAt(atMs: number): void;
}

/** The ends of streams that wait until a peer that forgets unread data has had time to read it. */
export class HeldClosings {
  readonly #roundTrip: RoundTrip;
  readonly #effects: HeldClosingEffects;
  #reasons: Map<ChannelCore, string> | undefined;

  constructor(roundTrip: RoundTrip, effects: HeldClosingEffects) {
    this.#roundTrip = roundTrip;
    this.#effects = effects;
  }

  /** Holds the end of a channel's stream back, or releases it at once when it is due. */
  hold(core: ChannelCore, reason: string, nowMs: number): void {
    this.#reasons ??= new Map();
    this.#reasons.set(core, reason);
    this.releaseIfDue(core, nowMs);
  }

  /** Forgets a channel whose direction is over. */
  drop(core: ChannelCore): void {
    this.#reasons?.delete(core);
  }

  /** Releases everything, due or not. */
  releaseAll(): void {
    for (const [core, reason] of this.#reasons ?? []) this.#effects.release(core, reason);
  }

  /** Releases everything that is due. */
  releaseDue(nowMs: number): void {
    if (this.#reasons === undefined) return;
    for (const core of this.#reasons.keys()) this.releaseIfDue(core, nowMs);
  }

  /** Releases one channel when it is due, else asks to be woken when that can be told. */
  releaseIfDue(core: ChannelCore, nowMs: number): void {
    const reason = this.#reasons?.get(core);
    if (reason === undefined || core.trail === undefined || core.send === undefined) return;
    const roundTripMs = this.#roundTrip.atLeastMs(nowMs, pingPatienceMs);
    const atMs = core.trail.releaseAtMs(core.send, roundTripMs);
    if (atMs <= nowMs) this.#effects.release(core, reason);
    else if (atMs !== Infinity) this.#effects.wakeAt(atMs);
  }
}
