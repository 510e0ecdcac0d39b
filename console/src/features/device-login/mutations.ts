import type { Output } from '@corral/contract';
import { actionMutation } from '../../data/action-mutation.ts';

/** What a command line that waits for a sign-in asks for. */
export type LoginRequest = Extract<Output<'users_FindLogin'>, { result: 'Found' }>;

/** Finds what is asked for with a code; a wrong code is counted. */
export const findLogin = actionMutation('users_FindLogin', 'tokens');

/** Approves or denies what is asked for with a code. */
export const decideLogin = actionMutation('users_DecideLogin', 'tokens');
