import type { Channel } from '../channel.ts';
import type { BytePool } from './byte-pool.ts';
import type { IsRevocation } from './carrier.ts';
import type { Schedule } from './AckScheduler.ts';
import { ResumableStream } from './ResumableStream.ts';

/** The dependencies of an opener, and its callbacks. */
export interface OpenerParts {
  /** 16 random bytes. */
  readonly sessionId: Uint8Array;
  readonly pool: BytePool;
  readonly schedule: Schedule;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly isRevocation: IsRevocation;
  /** Opens the next channel, after delays of its own; `attempts` counts earlier calls in this interruption. Rejects with the reason to give up, at the latest when the signal aborts. */
  readonly reopen: (signal: AbortSignal, attempts: number) => Promise<Channel>;
  /** The channel was lost; the stream waits for another one. */
  readonly onInterrupted?: (reason: string) => void;
  /** An interruption is over: the stream has resumed, or has ended. */
  readonly onSettled?: (isResumed: boolean) => void;
  /** The stream needs no channel any more. */
  readonly onFinished?: () => void;
}

interface Interruption {
  readonly abort: AbortController;
  readonly cancel: () => void;
  reason: string;
  attempts: number;
}

/** How long a stream waits for another channel. The acceptor may notice the loss up to 20 s earlier, and waits longer. */
const resumeWithinMs = 60_000;

/** Opens a resumable stream over a channel, and reopens it over another whenever a channel is lost. */
export class StreamOpener {
  readonly #parts: OpenerParts;
  readonly stream: ResumableStream;
  #interruption: Interruption | undefined;
  #isSettled = true;

  constructor(channel: Channel, parts: OpenerParts) {
    this.#parts = parts;
    this.stream = new ResumableStream({
      ...parts,
      onAccepted: () => this.#end(true),
      onDetached: (reason) => this.#detached(reason),
      onFinished: () => {
        this.#end(false);
        parts.onFinished?.();
      },
    });
    void this.stream.closed.then(() => this.#settle(false));
    this.stream.open(channel, true);
  }

  #detached(reason: string): void {
    this.#interruption ??= this.#begin(reason);
    this.#interruption.reason = reason;
    void this.#reopen(this.#interruption);
  }

  #begin(reason: string): Interruption {
    const abort = new AbortController();
    const cancel = this.#parts.schedule(() => {
      abort.abort();
      if (this.stream.isAttached) this.stream.giveUp(reason);
    }, resumeWithinMs);
    this.#isSettled = false;
    this.#parts.onInterrupted?.(reason);
    return { abort, cancel, reason, attempts: 0 };
  }

  async #reopen(interruption: Interruption): Promise<void> {
    try {
      const channel = await this.#parts.reopen(interruption.abort.signal, interruption.attempts++);
      if (this.#interruption === interruption) this.stream.open(channel, false);
      else channel.abort('the stream is given up');
    } catch (error) {
      this.stream.giveUp((error instanceof Error && error.message) || interruption.reason);
    }
  }

  #end(isResumed: boolean): void {
    const interruption = this.#interruption;
    this.#interruption = undefined;
    interruption?.cancel();
    // Cancels a pending `reopen`.
    interruption?.abort.abort();
    this.#settle(isResumed);
  }

  #settle(isResumed: boolean): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#parts.onSettled?.(isResumed);
  }
}
