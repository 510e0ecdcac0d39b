import { TransferFailure } from './TransferFailure.ts';

interface SlotLimits {
  readonly maxInAll: number;
  readonly maxPerClient: number;
}

const retryAfterSecs = 5;

/** Limits how many transfers of one kind run at a time, of one client (an IPv4 address or an IPv6 /64) and in all. There is no queue: a client that finds no slot is told when to retry. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #byClient = new Map<string, number>();
  #count = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** How many slots are taken. */
  get count(): number {
    return this.#count;
  }

  /** Takes a slot and returns the function that gives it back. Throws a TransferFailure if there is none. */
  take(client: string): () => void {
    const ofClient = this.#byClient.get(client) ?? 0;
    if (ofClient >= this.#limits.maxPerClient)
      throw new TransferFailure(
        429,
        `At most ${this.#limits.maxPerClient} transfers of one client run at a time; wait until others have ended.`,
        { retryAfterSecs },
      );
    if (this.#count >= this.#limits.maxInAll)
      throw new TransferFailure(
        503,
        'The hub has as many transfers as it can serve; try again in a moment.',
        {
          retryAfterSecs,
        },
      );
    this.#count += 1;
    this.#byClient.set(client, ofClient + 1);
    let isReturned = false;
    return () => {
      if (isReturned) return;
      isReturned = true;
      this.#giveBack(client);
    };
  }

  #giveBack(client: string): void {
    this.#count -= 1;
    const left = (this.#byClient.get(client) ?? 1) - 1;
    if (left === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, left);
  }
}
