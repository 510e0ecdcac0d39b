import type { Database } from './connect.ts';

/** Answers many questions with one statement, in the order of the questions. */
type AnswerAll<Question, Answer> = (db: Database, questions: readonly Question[]) => Promise<Answer[]>;

interface Pending<Question, Answer> {
  readonly question: Question;
  readonly answer: PromiseWithResolvers<Answer>;
}

/** One server process runs a whole batch, so a larger one would delay the answers. */
const maxInBatch = 64;

/**
 * Collects concurrent questions into one statement: the first batch runs at the end of this turn of the event loop, and questions that arrive while it
 * runs form the next one. An error rejects every question of its batch.
 */
export function batch<Question, Answer>(
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
  #waiting: Pending<Question, Answer>[] = [];
  #isRunning = false;

  constructor(db: Database, answerAll: AnswerAll<Question, Answer>) {
    this.#db = db;
    this.#answerAll = answerAll;
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
      const answers = await this.#answerAll(
        this.#db,
        batch.map(({ question }) => question),
      );
      for (const [index, { answer }] of batch.entries()) answer.resolve(answers[index] as Answer);
    } catch (error) {
      for (const { answer } of batch) answer.reject(error);
    }
  }
}
