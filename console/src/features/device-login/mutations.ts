import { actionMutation } from '../../data/action-mutation.ts';

/** Finds what is asked for with a code; a wrong code is counted. */
export const findLogin = actionMutation('users_FindLogin', 'tokens');

/** Approves or denies what is asked for with a code. */
export const decideLogin = actionMutation('users_DecideLogin', 'tokens');
