import { BatchQueue } from '../concurrency/BatchQueue.ts';
import type { Database } from './connect.ts';
import { isDatabaseUnavailable } from './database-unavailable.ts';

/** Answers many questions with one statement, in the order of the questions. */
type AnswerAll<Question, Answer> = (db: Database, questions: readonly Question[]) => Promise<Answer[]>;

/** Collects concurrent questions to one database into one statement, as a `BatchQueue` does, so that one server process runs a whole batch. Rejects all of them when the database is away. */
export function batch<Question, Answer>(
  answerAll: AnswerAll<Question, Answer>,
): (db: Database, question: Question) => Promise<Answer> {
  return batchBy(() => '', answerAll);
}

/** The same for questions of which only those with the same key fit into one statement; those with another key do not wait for it. */
export function batchBy<Question, Answer>(
  keyOf: (question: Question) => string,
  answerAll: AnswerAll<Question, Answer>,
): (db: Database, question: Question) => Promise<Answer> {
  const queues = new WeakMap<Database, Map<string, BatchQueue<Question, Answer>>>();
  return (db, question) => {
    const ofDatabase = queues.get(db) ?? new Map<string, BatchQueue<Question, Answer>>();
    queues.set(db, ofDatabase);
    const key = keyOf(question);
    const queue =
      ofDatabase.get(key) ??
      new BatchQueue((questions: readonly Question[]) => answerAll(db, questions), {
        endsAll: isDatabaseUnavailable,
        onIdle: () => void ofDatabase.delete(key),
      });
    ofDatabase.set(key, queue);
    return queue.ask(question);
  };
}
