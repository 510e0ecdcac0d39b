interface Pending<Question, Answer> {
  readonly question: Question;
  readonly answer: PromiseWithResolvers<Answer>;
}

/** A larger batch would delay the answers. */
const maxInBatch = 64;

/**
 * Collects concurrent questions into one call: the first batch runs at the end of this turn of the event loop, and questions that arrive while it
 * runs form the next one. An error rejects every question of its batch.
 */
export class BatchQueue<Question, Answer> {
  readonly #answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  readonly #endsAll: (error: unknown) => boolean;
  #waiting: Pending<Question, Answer>[] = [];
  #isRunning = false;

  /** `answerAll` answers in the order of the questions. An error of which `endsAll` says so also rejects the questions that still wait, since their batches would fail one after the other. */
  constructor(
    answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
    endsAll: (error: unknown) => boolean = () => false,
  ) {
    this.#answerAll = answerAll;
    this.#endsAll = endsAll;
  }

  ask(question: Question): Promise<Answer> {
    const answer = Promise.withResolvers<Answer>();
    this.#waiting.push({ question, answer });
    if (!this.#isRunning) {
      this.#isRunning = true;
      setImmediate(() => void this.#run());
    }
    return answer.promise;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#answer(this.#waiting.splice(0, maxInBatch));
    this.#isRunning = false;
  }

  async #answer(batch: readonly Pending<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#answerAll(batch.map(({ question }) => question));
      for (const [index, { answer }] of batch.entries()) answer.resolve(answers[index] as Answer);
    } catch (error) {
      const others = this.#endsAll(error) ? this.#waiting.splice(0) : [];
      for (const { answer } of [...batch, ...others]) answer.reject(error);
    }
  }
}
