import type { Channel } from '../channel.ts';
import type { BytePool } from './byte-pool.ts';
import type { IsRevocation } from './carrier.ts';
import { ResumableStream, type Schedule } from './ResumableStream.ts';

/** How a stream is opened again. */
export interface OpenerParts {
  /** 16 random bytes. */
  readonly sessionId: Uint8Array;
  readonly pool: BytePool;
  readonly schedule: Schedule;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly isRevocation: IsRevocation;
  /** Opens the next channel after so many that were lost meanwhile, with pauses of its own. Rejected with the reason to give up, at the latest when the signal aborts. */
  readonly reopen: (signal: AbortSignal, attempts: number) => Promise<Channel>;
  /** The stream waits for another channel. */
  readonly onInterrupted?: (reason: string) => void;
  /** After each interruption: whether the stream goes on; else it has ended. */
  readonly onSettled?: (goesOn: boolean) => void;
  /** Nothing more is sent, nor waited for. */
  readonly onOver?: () => void;
}

interface Interruption {
  readonly abort: AbortController;
  readonly cancel: () => void;
  reason: string;
  attempts: number;
}

/** How long a stream is without a channel before it is given up. The other side, which may notice up to 20 s sooner, keeps it longer. */
const resumeWithinMs = 60_000;

/** Opens a resumable stream over a channel, and again over another whenever that is lost. */
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
      onOver: () => {
        this.#end(false);
        parts.onOver?.();
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

  #end(goesOn: boolean): void {
    const interruption = this.#interruption;
    this.#interruption = undefined;
    interruption?.cancel();
    // Ends an attempt that is under way.
    interruption?.abort.abort();
    this.#settle(goesOn);
  }

  #settle(goesOn: boolean): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#parts.onSettled?.(goesOn);
  }
}
