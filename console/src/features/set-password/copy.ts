import { catalogue } from '../../copy/catalogue.ts';

/** The texts of the page behind a mailed link to set a password. */
export const setPasswordCopy = catalogue('setPassword', {
  title: 'Set Your Password',
  text: 'Choose the password of your account. All sessions of the account end, and you sign in with the new one.',
  password: 'New password',
  confirmation: 'Confirm the new password',
  set: 'Set Password',
  doneTitle: 'Password Set',
  doneText: 'Sign in with your new password.',
  signIn: 'Sign In',
  failedTitle: 'This Link Does Not Work',
  failedText:
    'It was used already, a later one was sent, or it is older than 24 hours. Ask an administrator of this hub for a new one.',
  ask: 'Administrator:',
  back: 'Back to sign-in',
});
