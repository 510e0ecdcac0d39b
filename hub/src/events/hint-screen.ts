import { hintVersion, isSignedWith, readEnvelope, type Envelope } from './hint-envelope.ts';

/** Why a message is not followed. */
export type Refusal = 'unsigned' | 'forged' | 'replayed' | 'old' | 'another version' | 'flood';

/** What a message is: a hint of another node, or refused; `isMissed` says that a hint of a node may be lost with it. */
export type Screened =
  | { readonly body: Uint8Array }
  | { readonly refusal: Refusal; readonly isMissed: boolean };

interface ScreenParts {
  readonly key: Buffer;
  /** The sender of this process, whose messages another one may have recorded. */
  readonly ownSender: string;
  /** The time of the database in milliseconds. */
  readonly timeMs: () => number;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
}

/** How far the time of a message may be from that of this node. */
const maxAgeMs = 30_000;
/** Processes whose last number is remembered, for as long as their messages are not too old. */
const maxSenders = 4_096;
/** Signatures that are checked in vain in a second: a check of the largest message takes some 0.1 ms. */
const maxFailedChecks = 500;
const secondMs = 1_000;

/**
 * Tells hints of other nodes from what anybody else sends who reaches NATS. Messages without a signature and those that were sent again are recognised without a
 * check of the signature; what needs one in vain is bounded.
 */
export class HintScreen {
  readonly #parts: ScreenParts;
  readonly #last = new Map<string, { readonly number: bigint; readonly sentAtMs: number }>();
  #failed = { sinceMs: -Infinity, count: 0 };

  constructor(parts: ScreenParts) {
    this.#parts = parts;
  }

  /** Judges a message that has arrived. */
  admit(message: Uint8Array): Screened {
    const envelope = readEnvelope(message);
    if (envelope === undefined) return { refusal: 'unsigned', isMissed: false };
    if (this.#isReplayed(envelope)) return { refusal: 'replayed', isMissed: false };
    if (this.#isFlooded()) return { refusal: 'flood', isMissed: true };
    if (!isSignedWith(this.#parts.key, message)) return this.#fail('forged', false);
    if (envelope.version !== hintVersion) return this.#fail('another version', true);
    const hasRoom = this.#remember(envelope);
    if (!hasRoom || !this.#isCurrent(envelope)) return this.#fail('old', true);
    return { body: envelope.body };
  }

  /** NATS keeps the order of a sender; where a sender connected again, it says that hints may be missing. */
  #isReplayed({ version, sender, number }: Envelope): boolean {
    if (version !== hintVersion) return false;
    return sender === this.#parts.ownSender || number <= (this.#last.get(sender)?.number ?? -1n);
  }

  #isCurrent({ sentAtMs }: Pick<Envelope, 'sentAtMs'>): boolean {
    return Math.abs(this.#parts.timeMs() - sentAtMs) <= maxAgeMs;
  }

  /** False without room for another sender. */
  #remember({ sender, number, sentAtMs }: Envelope): boolean {
    if (!this.#last.has(sender) && this.#last.size >= maxSenders) this.#forgetOld();
    if (!this.#last.has(sender) && this.#last.size >= maxSenders) return false;
    this.#last.set(sender, { number, sentAtMs });
    return true;
  }

  /** What these have sent is too old by now. */
  #forgetOld(): void {
    for (const [sender, last] of this.#last) if (!this.#isCurrent(last)) this.#last.delete(sender);
  }

  #isFlooded(): boolean {
    const nowMs = this.#parts.nowMs();
    if (nowMs - this.#failed.sinceMs >= secondMs) this.#failed = { sinceMs: nowMs, count: 0 };
    return this.#failed.count >= maxFailedChecks;
  }

  #fail(refusal: Refusal, isMissed: boolean): Screened {
    this.#failed.count += 1;
    return { refusal, isMissed };
  }
}
