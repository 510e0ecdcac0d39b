import type { Database } from './connect.ts';

/** Answers each of many questions, in their order, by one statement. */
type AnswerAll<Question, Answer> = (db: Database, questions: readonly Question[]) => Promise<Answer[]>;

interface Asked<Question, Answer> {
  readonly question: Question;
  readonly told: PromiseWithResolvers<Answer>;
}

/** A statement's parameters are read by one server process at a time: more of them at once only keep others waiting. */
const mostInBatch = 64;

/**
 * Asks together what many ask at the same time: the first goes at the end of this turn of the event loop, with whoever has come by
 * then, and what comes while it is under way goes with the next. A failure is that of all who asked together.
 */
export function inBatches<Question, Answer>(
  answerAll: AnswerAll<Question, Answer>,
): (db: Database, question: Question) => Promise<Answer> {
  const queues = new WeakMap<Database, Queue<Question, Answer>>();
  return (db, question) => {
    let queue = queues.get(db);
    if (queue === undefined) queues.set(db, (queue = new Queue(db, answerAll)));
    return queue.ask(question);
  };
}

class Queue<Question, Answer> {
  readonly #db: Database;
  readonly #answerAll: AnswerAll<Question, Answer>;
  #waiting: Asked<Question, Answer>[] = [];
  #isRunning = false;

  constructor(db: Database, answerAll: AnswerAll<Question, Answer>) {
    this.#db = db;
    this.#answerAll = answerAll;
  }

  ask(question: Question): Promise<Answer> {
    const told = Promise.withResolvers<Answer>();
    this.#waiting.push({ question, told });
    if (!this.#isRunning) {
      this.#isRunning = true;
      setImmediate(() => void this.#run());
    }
    return told.promise;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#answer(this.#waiting.splice(0, mostInBatch));
    this.#isRunning = false;
  }

  async #answer(batch: readonly Asked<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#answerAll(
        this.#db,
        batch.map(({ question }) => question),
      );
      for (const [index, { told }] of batch.entries()) told.resolve(answers[index] as Answer);
    } catch (error) {
      for (const { told } of batch) told.reject(error);
    }
  }
}
