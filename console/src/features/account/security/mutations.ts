import { actionMutation } from '../../../data/action-mutation.ts';

/** Sets a new password, which ends all other sessions of the user. */
export const setPassword = actionMutation('users_SetUserPassword', 'users_SetPassword');

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

/** Makes the challenge of a new passkey; nothing changes until the passkey is added. */
export const beginPasskey = actionMutation('users_BeginPasskeyRegistration', 'users');

/** Adds a passkey; the answer contains recovery codes if it is the first factor. */
export const addPasskey = actionMutation('users_AddPasskey', 'users_SecondFactorAdded');

/** Renames a passkey. */
export const setPasskeyName = actionMutation('users_SetPasskeyName', 'users_PasskeyRenamed');

/** Removes a passkey of the user. */
export const deletePasskey = actionMutation('users_DeletePasskey', 'users_SecondFactorRemoved');
