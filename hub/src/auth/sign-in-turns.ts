import { passwordThreads } from './password.ts';
import { placesOf } from '../limits/limit.ts';
import { limits } from '../limits/table.ts';

/** One network leaves a thread to the others, where there are several. */
const turns = placesOf({
  ...limits.signInTurns,
  inAll: passwordThreads,
  ofGroup: Math.max(1, passwordThreads - 1),
});

/** Whose password is checked: keyed digests, equal for an account and for an address without one. */
export interface SignInSubjects {
  readonly account: string;
  readonly network: string;
}

/** Checks a password when it is the turn of its account and its network, counted on this node. Throws an `ActionError` of kind Throttled when too many wait. */
export function inSignInTurn<Result>(
  { account, network }: SignInSubjects,
  check: () => Promise<Result>,
): Promise<Result> {
  return turns.run({ caller: account, group: network }, check);
}
