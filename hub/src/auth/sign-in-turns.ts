import { ActionError } from '@corral/contract';
import { CallerSemaphore } from '../concurrency/caller-semaphore.ts';
import { passwordChecksAtOnce } from './password.ts';

const retryAfterSecs = 2;

/** Whoever knows one password could otherwise let it be checked on all threads. Further sign-ins with the account are refused. */
const ofAccounts = new CallerSemaphore({
  inAll: Infinity,
  ofCaller: 1,
  waitingOfCaller: 16,
  full: () =>
    new ActionError('Throttled', 'This account is signing in too often. Try again in a moment.', {
      retryAfterSecs,
    }),
});

/** One network leaves a thread to the others, where there are several. A whole office may have one address, so many wait. */
const ofNetworks = new CallerSemaphore({
  inAll: Infinity,
  ofCaller: Math.max(1, passwordChecksAtOnce - 1),
  waitingOfCaller: 64,
  full: () =>
    new ActionError('Throttled', 'Too many people sign in from this address. Try again in a moment.', {
      retryAfterSecs,
    }),
});

/** Whose password is checked: keyed digests, equal for an account and for an address without one. */
export interface SignInSubjects {
  readonly account: string;
  readonly network: string;
}

/**
 * Checks a password when it is the turn of its account, one at a time, and of its network. Both are counted on this node. Throws an `ActionError` of kind Throttled
 * when too many wait.
 */
export function inSignInTurn<Result>(
  { account, network }: SignInSubjects,
  check: () => Promise<Result>,
): Promise<Result> {
  return ofAccounts.run({ caller: account }, () => ofNetworks.run({ caller: network }, check));
}
