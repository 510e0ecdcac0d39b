import { actionMutation } from '../../../data/action-mutation.ts';

/** Ends a session of the user at once. */
export const terminateSession = actionMutation('users_TerminateUserSession', 'users_SessionTerminated');
