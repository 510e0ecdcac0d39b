import { actionMutation } from '../../data/action-mutation.ts';

/** Registers an account; the outcome is the answer's `result`. */
export const registerUser = actionMutation('users_RegisterUser', 'users_RegistrationCreated');

/** Sends the activation link to an e-mail address again. */
export const resendRegistrationEmail = actionMutation(
  'users_ResendRegistrationEmail',
  'users_RegistrationEmailSent',
);

/** Activates the account of a token, once. */
export const completeRegistration = actionMutation(
  'users_CompleteRegistration',
  'users_RegistrationCompleted',
);
