import { createSemaphore, type Semaphore, type SemaphoreOptions } from './semaphore.ts';

interface TurnsOptions extends Omit<SemaphoreOptions, 'concurrency'> {
  /** How many pieces of work run at a time, of all callers and of one. */
  readonly inAll: number;
  readonly ofCaller: number;
  /** How many run at a time of all callers of one project; as many as in all if absent. */
  readonly ofProject?: number;
}

/** Whose work waits for its turn. */
export interface TurnTaker {
  /** The id of a user or device, or an address. */
  readonly caller: string;
  /** The raw id of the project of a device. */
  readonly projectId?: string | undefined;
}

/** Lets work run a few pieces at a time, fewer of the callers of one project, and fewer still of one caller; the others wait in order. A caller without work is not kept. */
export class TurnsOfCallers {
  readonly #all: Semaphore;
  readonly #callers: KeyedSemaphores;
  readonly #projects: KeyedSemaphores;

  constructor({ inAll, ofCaller, ofProject = inAll, ...queue }: TurnsOptions) {
    this.#all = createSemaphore({ ...queue, concurrency: inAll });
    this.#callers = new KeyedSemaphores({ ...queue, concurrency: ofCaller });
    this.#projects = new KeyedSemaphores({ ...queue, concurrency: ofProject });
  }

  /** How many callers have work that runs or waits. */
  get size(): number {
    return this.#callers.size;
  }

  /** Runs the work of a caller when its turn comes. Throws the error of `full` when too much waits. */
  run<Result>({ caller, projectId }: TurnTaker, work: () => Promise<Result>): Promise<Result> {
    const among = () => this.#all.run(work);
    return this.#callers.run(caller, () =>
      projectId === undefined ? among() : this.#projects.run(projectId, among),
    );
  }
}

/** One semaphore for each key that has work. */
class KeyedSemaphores {
  readonly #options: SemaphoreOptions;
  readonly #ofKey = new Map<string, { readonly semaphore: Semaphore; users: number }>();

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#ofKey.size;
  }

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const turns = this.#ofKey.get(key) ?? { semaphore: createSemaphore(this.#options), users: 0 };
    this.#ofKey.set(key, turns);
    turns.users += 1;
    try {
      return await turns.semaphore.run(work);
    } finally {
      turns.users -= 1;
      if (turns.users === 0) this.#ofKey.delete(key);
    }
  }
}
