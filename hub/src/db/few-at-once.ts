import { createSemaphore, type Semaphore } from '../concurrency/semaphore.ts';
import type { Database } from './connect.ts';

/** Lets only so many ask a database at a time, so that those who wait there for others leave its connections to everybody else. */
export function fewAtOnce<Question, Answer>(
  most: number,
  ask: (db: Database, question: Question) => Promise<Answer>,
): (db: Database, question: Question) => Promise<Answer> {
  const gates = new WeakMap<Database, Semaphore>();
  return (db, question) => {
    let gate = gates.get(db);
    if (gate === undefined) gates.set(db, (gate = createSemaphore({ concurrency: most })));
    return gate.run(() => ask(db, question));
  };
}
