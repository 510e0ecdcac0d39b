import { actionMutation } from '../../../data/action-mutation.ts';

/** Sets a new password, which ends all other sessions of the user. */
export const setPassword = actionMutation('users_SetUserPassword', 'users_SetPassword');

/** Creates an API token; only the answer contains the secret. */
export const createUserToken = actionMutation('users_CreateUserToken', 'users_TokenCreated');

/** Deletes an API token of the user. */
export const deleteUserToken = actionMutation('users_DeleteUserToken', 'users_TokenDeleted');

/** Makes the secret of an authenticator; nothing changes until its first code is confirmed. */
export const beginAuthenticator = actionMutation('users_BeginAuthenticatorEnrolment', 'users');

/** Adds the authenticator; only the answer contains the recovery codes. */
export const confirmAuthenticator = actionMutation(
  'users_ConfirmAuthenticatorEnrolment',
  'users_SecondFactorAdded',
);

/** Makes new recovery codes instead of those before. */
export const renewRecoveryCodes = actionMutation('users_RenewRecoveryCodes', 'users_RecoveryCodesRenewed');

/** Unlinks an account at the provider. */
export const unlinkIdentity = actionMutation('users_UnlinkIdentity', 'users_IdentityUnlinked');

/** Removes the second factor of the user. */
export const removeSecondFactors = actionMutation('users_RemoveSecondFactors', 'users_SecondFactorRemoved');
