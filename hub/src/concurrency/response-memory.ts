import { actionNamed, actions } from '@corral/contract';
import type { CallerKeys } from '../limits/caller.ts';
import { placesOf, refusalBy } from '../limits/limit.ts';
import { limits } from '../limits/table.ts';

/** Answers up to this size are not counted: the system takes them at once. */
const smallAnswerBytes = 262_144;
/** What all large answers that are not yet taken may have, as many as ten pages of lists. */
const sharedBytes = 60 * 1024 * 1024;
/** How long an answer may take to be sent while others wait. */
const maxSendMs = 30_000;

/** The answer of one call. */
export interface Answer {
  /**
   * Notes that the answer has this size and is being sent. `cut` aborts the sending; it is called when others wait and the sending takes more than 30 s. Throws an `ActionError` of kind
   * NotReady when all memory is taken.
   */
  sending(sizeBytes: number, cut: () => void): void;
  /** To be called when it is sent or nobody waits for it any more; may be called again. */
  end(): void;
}

/**
 * Bounds the memory of large answers: whoever asks for pages of 6 MiB and does not read them makes the hub hold them, and a few hundred such callers would take all memory. A caller with four
 * that are not yet taken waits before a further query runs.
 */
export class ResponseMemory {
  readonly #nowMs: () => number;
  readonly #places = placesOf(limits.answers);
  readonly #sending = new Set<Sending>();

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Begins a call by its name; a query waits for its place. Rejected with an `ActionError` of kind NotReady if that takes too long. */
  async begin(keys: CallerKeys, name: string): Promise<Answer> {
    const action = actionNamed(name);
    const isQuery = action !== undefined && actions[action].kind === 'query';
    if (isQuery && !this.#places.tryAcquire(keys)) {
      this.#cutSlow();
      await this.#places.acquire(keys);
    }
    let sent: Sending | undefined;
    let hasPlace = isQuery;
    const end = (): void => {
      if (sent !== undefined) this.#sending.delete(sent);
      if (hasPlace) this.#places.release(keys);
      hasPlace = false;
    };
    return {
      sending: (sizeBytes, cut) => {
        if (sizeBytes <= smallAnswerBytes) return end();
        this.#mustFit(sizeBytes);
        sent = { sizeBytes, startedMs: this.#nowMs(), cut };
        this.#sending.add(sent);
      },
      end,
    };
  }

  #mustFit(sizeBytes: number): void {
    const fits = () => [...this.#sending].reduce((sum, one) => sum + one.sizeBytes, sizeBytes) <= sharedBytes;
    if (fits()) return;
    this.#cutSlow();
    if (!fits()) throw refusalBy(limits.answers);
  }

  #cutSlow(): void {
    const since = this.#nowMs() - maxSendMs;
    for (const one of this.#sending) {
      if (one.startedMs > since) continue;
      this.#sending.delete(one);
      one.cut();
    }
  }
}

interface Sending {
  readonly sizeBytes: number;
  readonly startedMs: number;
  readonly cut: () => void;
}
