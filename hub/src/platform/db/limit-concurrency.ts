import { FairSemaphore } from '../../limits/fair-semaphore.ts';
import type { Database } from './connect.ts';

/** Limits how many calls run on one database at a time, so that calls that wait for locks leave connections of the pool to others. */
export function limitConcurrency<Input, Output>(
  max: number,
  work: (db: Database, input: Input) => Promise<Output>,
): (db: Database, input: Input) => Promise<Output> {
  const semaphores = new WeakMap<Database, FairSemaphore>();
  return (db, input) => {
    let semaphore = semaphores.get(db);
    if (semaphore === undefined)
      semaphores.set(db, (semaphore = new FairSemaphore({ inAll: max }, () => new Error('never refused'))));
    return semaphore.run({ caller: 'all' }, () => work(db, input));
  };
}
