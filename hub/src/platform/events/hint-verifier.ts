import { hintVersion, isSignedWith, readEnvelope, type Envelope } from './hint-envelope.ts';

/** Why a message is refused. */
export type RefusalReason = 'unsigned' | 'forged' | 'replayed' | 'old' | 'another version' | 'flood';

/** The body of a hint of another node, or why the message is refused; `isMissed` if a hint of a node may be lost with it. */
export type Verdict =
  | { readonly body: Uint8Array }
  | { readonly refusal: RefusalReason; readonly isMissed: boolean };

interface VerifierParts {
  readonly key: Buffer;
  /** The sender id of this process: a message with it is its own, or a replay of one. */
  readonly ownSender: string;
  /** The time of the database in milliseconds. */
  readonly timeMs: () => number;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
}

/** How far the time of a message may be from that of this node, either way. */
const maxClockDifferenceMs = 30_000;
/** Senders whose last number is remembered, until their messages are too old. */
const maxSenders = 4_096;
/** How many verifications may fail in a second; after that all messages are refused unverified. That of the largest message takes some 0.1 ms. */
const maxFailuresPerSecond = 500;
const secondMs = 1_000;

/** Accepts signed hints of other nodes, each once, and refuses the rest; after 500 failed verifications in a second it checks no more. */
export class HintVerifier {
  readonly #parts: VerifierParts;
  readonly #last = new Map<string, { readonly number: bigint; readonly sentAtMs: number }>();
  #failed = { sinceMs: -Infinity, count: 0 };

  constructor(parts: VerifierParts) {
    this.#parts = parts;
  }

  /** Verifies a received message. */
  verify(message: Uint8Array): Verdict {
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

  /** NATS keeps the order of a sender, so a number that is not higher than the last one is a replay. */
  #isReplayed({ version, sender, number }: Envelope): boolean {
    if (version !== hintVersion) return false;
    return sender === this.#parts.ownSender || number <= (this.#last.get(sender)?.number ?? -1n);
  }

  #isCurrent({ sentAtMs }: Pick<Envelope, 'sentAtMs'>): boolean {
    return Math.abs(this.#parts.timeMs() - sentAtMs) <= maxClockDifferenceMs;
  }

  /** Remembers the number of a message; false if there is no room for another sender. */
  #remember({ sender, number, sentAtMs }: Envelope): boolean {
    if (!this.#last.has(sender) && this.#last.size >= maxSenders) this.#forgetOld();
    if (!this.#last.has(sender) && this.#last.size >= maxSenders) return false;
    this.#last.set(sender, { number, sentAtMs });
    return true;
  }

  /** Forgets senders whose messages would be refused as too old if they were replayed now. */
  #forgetOld(): void {
    for (const [sender, last] of this.#last) if (!this.#isCurrent(last)) this.#last.delete(sender);
  }

  #isFlooded(): boolean {
    const nowMs = this.#parts.nowMs();
    if (nowMs - this.#failed.sinceMs >= secondMs) this.#failed = { sinceMs: nowMs, count: 0 };
    return this.#failed.count >= maxFailuresPerSecond;
  }

  #fail(refusal: RefusalReason, isMissed: boolean): Verdict {
    this.#failed.count += 1;
    return { refusal, isMissed };
  }
}
