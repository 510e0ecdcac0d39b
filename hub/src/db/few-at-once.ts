import { createGate, type Gate } from '../gate.ts';
import type { Database } from './connect.ts';

/** Lets only so many ask a database at a time, so that those who wait there for others leave its connections to everybody else. */
export function fewAtOnce<Question, Answer>(
  most: number,
  ask: (db: Database, question: Question) => Promise<Answer>,
): (db: Database, question: Question) => Promise<Answer> {
  const gates = new WeakMap<Database, Gate>();
  return (db, question) => {
    let gate = gates.get(db);
    if (gate === undefined)
      gates.set(db, (gate = createGate(most, Infinity, () => new Error('The line has no end.'))));
    return gate.run(() => ask(db, question));
  };
}
