import { actionMutation } from '../../../data/action-mutation.ts';

/** Creates a user. */
export const createUser = actionMutation('users_CreateUser', 'users_Created');
/** Makes a user an administrator, or withdraws the right. */
export const setIsAdmin = actionMutation('users_SetUserIsAdmin', 'users_SetIsAdmin');
/** Disables a user, or enables it again. */
export const setIsDisabled = actionMutation('users_SetUserIsDisabled', 'users_SetIsDisabled');
/** Mails a user a link to set a password. */
export const sendPasswordLink = actionMutation('users_SendPasswordLink', 'users_PasswordLinkSent');
/** Deletes a user with everything that only it uses. */
export const deleteUser = actionMutation('users_DeleteUser', 'users_Deleted', {
  deletes: ({ userId }) => userId,
});
