import { createSemaphore, type Semaphore, type SemaphoreOptions } from './semaphore.ts';

interface TurnsOptions extends Omit<SemaphoreOptions, 'concurrency'> {
  /** How many pieces of work run at a time, of all callers and of one. */
  readonly inAll: number;
  readonly ofCaller: number;
}

interface Turns {
  readonly semaphore: Semaphore;
  users: number;
}

/** Lets work run a few pieces at a time, and fewer of one caller; the others wait in order. A caller without work is not kept. */
export class TurnsOfCallers {
  readonly #all: Semaphore;
  readonly #ofCaller = new Map<string, Turns>();
  readonly #options: TurnsOptions;

  constructor(options: TurnsOptions) {
    const { inAll: concurrency, ...queue } = options;
    this.#options = options;
    this.#all = createSemaphore({ ...queue, concurrency });
  }

  /** How many callers have work that runs or waits. */
  get size(): number {
    return this.#ofCaller.size;
  }

  /** Runs the work of a caller when its turn comes. Throws the error of `full` when too much waits. */
  async run<Result>(caller: string, work: () => Promise<Result>): Promise<Result> {
    const turns = this.#ofCaller.get(caller) ?? this.#newTurns();
    this.#ofCaller.set(caller, turns);
    turns.users += 1;
    try {
      return await turns.semaphore.run(() => this.#all.run(work));
    } finally {
      turns.users -= 1;
      if (turns.users === 0) this.#ofCaller.delete(caller);
    }
  }

  #newTurns(): Turns {
    const { ofCaller: concurrency, ...queue } = this.#options;
    return { semaphore: createSemaphore({ ...queue, concurrency }), users: 0 };
  }
}
