import { Worker } from 'node:worker_threads';
import { StorageError } from './asset-storage.ts';

/** A thread that answers questions in their order. */
export class AnsweringThread<Question, Answer> {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<Answer>[] = [];
  #failure: StorageError | undefined;

  /** Runs a module; `interrupted` is what clients are told whose bytes it had when it ended by itself, and `onEnd` is called then. */
  constructor(module: URL, interrupted: string, onEnd: () => void) {
    // Without the options of this process, which may load modules that are not meant for a thread.
    this.#worker = new Worker(module, { execArgv: [], env: {} });
    this.#worker.on('message', (answer: Answer) => this.#waiting.shift()?.resolve(answer));
    const end = (cause: unknown): void => {
      this.#failure ??= new StorageError('Unreachable', interrupted, { cause });
      for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
      onEnd();
    };
    this.#worker.on('error', end).on('exit', end);
    this.#worker.unref();
  }

  /** Resolves with the answer; rejects with a StorageError if the thread ends before. */
  ask(question: Question): Promise<Answer> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting.push(waiting);
    this.#worker.postMessage(question);
    return waiting.promise;
  }

  /** Sends what has no answer. */
  tell(message: Question): void {
    this.#worker.postMessage(message);
  }
}
