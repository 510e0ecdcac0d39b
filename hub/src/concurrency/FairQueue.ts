/** A user of a fair queue. */
export interface Flow {
  /** The finish tag of its last work: its start tag plus its size. */
  finishTag: number;
}

interface Waiting {
  readonly startTag: number;
  readonly start: () => void;
}

interface FairQueueOptions {
  /** How many pieces of work run at a time. */
  readonly concurrency: number;
  /** How much a flow may catch up after a pause, in the unit of the sizes. */
  readonly maxLag: number;
}

/**
 * Gives flows equal shares by start-time fair queueing: of the waiting work, that with the lowest start tag begins next, which is that of the flow that was
 * served least. An idle flow delays no other.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #waiting: Waiting[] = [];
  /** The highest start tag of work that has begun. */
  #virtualTime = 0;
  #running = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Adds a flow, which may catch up like one that was idle. */
  flow(): Flow {
    return { finishTag: this.#virtualTime - this.#options.maxLag };
  }

  /** Runs work of a flow when its turn comes. */
  async run<Result>(flow: Flow, size: number, work: () => Promise<Result>): Promise<Result> {
    const startTag = Math.max(flow.finishTag, this.#virtualTime - this.#options.maxLag);
    flow.finishTag = startTag + size;
    if (this.#running >= this.#options.concurrency)
      await new Promise<void>((start) => this.#waiting.push({ startTag, start }));
    else this.#running += 1;
    this.#virtualTime = Math.max(this.#virtualTime, startTag);
    try {
      return await work();
    } finally {
      const next = this.#takeNext();
      if (next === undefined) this.#running -= 1;
      else next.start();
    }
  }

  #takeNext(): Waiting | undefined {
    let least = 0;
    for (let index = 1; index < this.#waiting.length; index += 1)
      if ((this.#waiting[index] as Waiting).startTag < (this.#waiting[least] as Waiting).startTag)
        least = index;
    return this.#waiting.splice(least, 1)[0];
  }
}
