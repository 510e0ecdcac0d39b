import { ActionError } from '@corral/contract';
import { CallerSemaphore } from '../concurrency/caller-semaphore.ts';

/** How many uploads to object stores are read at a time to verify them, of all callers and of one, and how many more wait. One thread hashes them all, and each may have 64 GiB. */
const readAtOnce = 4;
const readOfCaller = 1;
const waiting = 256;
const retryAfterSecs = 5;

const turns = new CallerSemaphore({
  inAll: readAtOnce,
  ofCaller: readOfCaller,
  waiting,
  full: () =>
    new ActionError('NotReady', 'Too many uploads are being verified; try again in a moment.', {
      retryAfterSecs,
    }),
});

/** Reads the bytes of an upload when the turn of the caller has come. Throws an `ActionError` of kind NotReady if too many wait. */
export function inVerificationTurn<Result>(caller: string, read: () => Promise<Result>): Promise<Result> {
  return turns.run({ caller }, read);
}
