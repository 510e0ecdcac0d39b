import { actionMutation } from '../../../data/action-mutation.ts';

/** Creates a user. */
export const createUser = actionMutation('users_CreateUser', 'users_Created');
/** Makes a user an administrator, or withdraws the right. */
export const setIsAdmin = actionMutation('users_SetUserIsAdmin', 'users_SetIsAdmin');
/** Disables a user, or enables it again. */
export const setIsDisabled = actionMutation('users_SetUserIsDisabled', 'users_SetIsDisabled');
/** Mails a user a link to set a password. */
export const sendPasswordLink = actionMutation('users_SendPasswordLink', 'users_PasswordLinkSent');
/** Issues a link to set a password, which the administrator passes on. */
export const issuePasswordLink = actionMutation('users_IssuePasswordLink', 'users_PasswordLinkIssued');
/** Confirms that an address belongs to its user. */
export const confirmEmail = actionMutation('users_ConfirmUserEmail', 'users_EmailConfirmed');
/** Removes the second factors of a user who has lost them. */
export const removeSecondFactors = actionMutation('users_RemoveSecondFactors', 'users_SecondFactorRemoved');
/** Issues the link that activates a registration. */
export const issueRegistrationLink = actionMutation(
  'users_IssueRegistrationLink',
  'users_RegistrationLinkIssued',
);
/** Deletes a registration. */
export const deleteRegistration = actionMutation('users_DeleteRegistration', 'users_RegistrationDeleted');
/** Deletes a user with everything that only it uses. */
export const deleteUser = actionMutation('users_DeleteUser', 'users_Deleted', {
  deletes: ({ userId }) => userId,
});
