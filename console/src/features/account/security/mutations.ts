import { actionMutation } from '../../../data/action-mutation.ts';

/** Sets a new password, which ends all other sessions of the user. */
export const setPassword = actionMutation('users_SetUserPassword', 'users_SetPassword');

/** Creates an API token; only the answer contains the secret. */
export const createUserToken = actionMutation('users_CreateUserToken', 'users_TokenCreated');

/** Deletes an API token of the user. */
export const deleteUserToken = actionMutation('users_DeleteUserToken', 'users_TokenDeleted');
