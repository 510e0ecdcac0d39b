/** A user of a fair queue. */
export interface Flow {
  /** How much it has had, counted from where others were when it began. */
  had: number;
}

interface Waiting {
  readonly begin: number;
  readonly start: () => void;
}

interface FairQueueOptions {
  /** How many pieces of work run at a time. */
  readonly concurrency: number;
  /** How far a flow that did not ask for a while may be behind the others and still catch up; in the unit of the sizes. */
  readonly mostBehind: number;
}

/**
 * Gives flows equal shares: of the work that waits, the one whose flow has had the least begins next (start-time fair queueing). A flow that asks for
 * nothing holds up nobody.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #waiting: Waiting[] = [];
  /** Where the flow was whose work began last. */
  #reached = 0;
  #running = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** A new flow, which may catch up as one that was idle. */
  flow(): Flow {
    return { had: this.#reached - this.#options.mostBehind };
  }

  /** Runs work of a flow when its turn comes. */
  async run<Result>(flow: Flow, size: number, work: () => Promise<Result>): Promise<Result> {
    const begin = Math.max(flow.had, this.#reached - this.#options.mostBehind);
    flow.had = begin + size;
    if (this.#running >= this.#options.concurrency)
      await new Promise<void>((start) => this.#waiting.push({ begin, start }));
    else this.#running += 1;
    this.#reached = Math.max(this.#reached, begin);
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
      if ((this.#waiting[index] as Waiting).begin < (this.#waiting[least] as Waiting).begin) least = index;
    return this.#waiting.splice(least, 1)[0];
  }
}
