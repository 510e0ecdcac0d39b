import { BatchQueue } from '../concurrency/BatchQueue.ts';
import type { Database } from './connect.ts';

/** Answers many questions with one statement, in the order of the questions. */
type AnswerAll<Question, Answer> = (db: Database, questions: readonly Question[]) => Promise<Answer[]>;

/** Collects concurrent questions to one database into one statement, as a `BatchQueue` does: one server process runs a whole batch. */
export function batch<Question, Answer>(
  answerAll: AnswerAll<Question, Answer>,
): (db: Database, question: Question) => Promise<Answer> {
  const queues = new WeakMap<Database, BatchQueue<Question, Answer>>();
  return (db, question) => {
    let queue = queues.get(db);
    if (queue === undefined)
      queues.set(db, (queue = new BatchQueue((questions) => answerAll(db, questions))));
    return queue.ask(question);
  };
}
