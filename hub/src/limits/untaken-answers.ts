import { actionNamed, actions } from '@corral/contract';
import { type CallerKeys, placesOf, refusalBy } from './limit.ts';
import { limits } from './table.ts';
import { untaken } from './work.ts';

const { smallBytes, bytesOfCaller, bytesInAll, maxSendMs } = untaken;

/** The answer of one call. */
export interface Answer {
  /**
   * Notes that the answer has this size and is being sent. `cut` aborts the sending; it is called when others wait and the sending takes more than 30 s. Throws an `ActionError` of kind
   * NotReady when all memory, or that of the caller, is taken.
   */
  sending(sizeBytes: number, cut: () => void): void;
  /** To be called when it is sent or nobody waits for it any more; may be called again. */
  end(): void;
}

interface Sending {
  /** Of a caller, or of the group of one. */
  readonly party: string;
  readonly sizeBytes: number;
  readonly startedMs: number;
  readonly cut: () => void;
}

/** Bounds the memory of large answers that are made but not yet taken: see `limits.answers`. */
export class UntakenAnswers {
  readonly #nowMs: () => number;
  readonly #places = placesOf(limits.answers);
  readonly #sending = new Set<Sending>();

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Begins a call by its name; a query waits for its place. Rejected with an `ActionError` of kind NotReady if that takes too long. */
  async begin(keys: CallerKeys, name: string): Promise<Answer> {
    const action = actionNamed(name);
    let hasPlace = action !== undefined && actions[action].kind === 'query';
    if (hasPlace && !this.#places.tryAcquire(keys)) {
      this.#cutSlow();
      await this.#places.acquire(keys);
    }
    let sent: Sending | undefined;
    const end = (): void => {
      if (sent !== undefined) this.#sending.delete(sent);
      if (hasPlace) this.#places.release(keys);
      hasPlace = false;
    };
    return {
      sending: (sizeBytes, cut) => {
        if (sizeBytes <= smallBytes) return end();
        sent = { party: keys.group ?? keys.caller, sizeBytes, startedMs: this.#nowMs(), cut };
        this.#mustFit(sent);
        this.#sending.add(sent);
      },
      end,
    };
  }

  #mustFit(answer: Sending): void {
    if (this.#fits(answer)) return;
    this.#cutSlow();
    if (!this.#fits(answer)) throw refusalBy(limits.answers);
  }

  #fits({ party, sizeBytes }: Sending): boolean {
    let [ofParty, inAll] = [sizeBytes, sizeBytes];
    for (const one of this.#sending) {
      inAll += one.sizeBytes;
      if (one.party === party) ofParty += one.sizeBytes;
    }
    return ofParty <= bytesOfCaller && inAll <= bytesInAll;
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
