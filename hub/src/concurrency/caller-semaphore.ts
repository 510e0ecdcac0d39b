import { createSemaphore, type Semaphore, type SemaphoreOptions } from './semaphore.ts';

interface CallerSemaphoreOptions extends Omit<SemaphoreOptions, 'concurrency'> {
  /** How many pieces of work run at a time, of all callers and of one. */
  readonly inAll: number;
  readonly ofCaller: number;
  /** How many run at a time of all callers of one project; as many as in all if absent. */
  readonly ofProject?: number;
}

/** The keys by which work is counted. */
export interface CallerKeys {
  /** The id of a user or device, or an address. */
  readonly caller: string;
  /** The raw id of the project of a device. */
  readonly projectId?: string | undefined;
}

/**
 * Limits how many pieces of work run at the same time: in all, of the callers of one project, and of one caller. The others wait in order. It keeps no state of callers
 * without work.
 */
export class CallerSemaphore {
  readonly #all: Semaphore;
  readonly #callers: KeyedSemaphores;
  readonly #projects: KeyedSemaphores;

  constructor({ inAll, ofCaller, ofProject = inAll, ...queue }: CallerSemaphoreOptions) {
    this.#all = createSemaphore({ ...queue, concurrency: inAll });
    this.#callers = new KeyedSemaphores({ ...queue, concurrency: ofCaller });
    this.#projects = new KeyedSemaphores({ ...queue, concurrency: ofProject });
  }

  /** How many callers have work that runs or waits. */
  get size(): number {
    return this.#callers.size;
  }

  /** Runs the work of a caller when its turn comes. Throws the error of `full` when too much work waits. */
  run<Result>({ caller, projectId }: CallerKeys, work: () => Promise<Result>): Promise<Result> {
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
    const entry = this.#ofKey.get(key) ?? { semaphore: createSemaphore(this.#options), users: 0 };
    this.#ofKey.set(key, entry);
    entry.users += 1;
    try {
      return await entry.semaphore.run(work);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#ofKey.delete(key);
    }
  }
}
