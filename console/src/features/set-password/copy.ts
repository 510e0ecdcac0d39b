import { catalogue } from '../../copy/catalogue.ts';

/** The texts of the page behind a mailed link to set a password. */
export const setPasswordCopy = catalogue('setPassword', {
  title: 'Set Your Password',
  text: 'Choose the password of this account. All sessions of the account end, and you sign in with the new one.',
  opening: 'The hub is asked whose password it is.',
  unread: 'The link could not be read',
  retry: 'Try again',
  incompleteTitle: 'This Link Is Incomplete',
  incompleteText: 'Open it once more, whole: it may have been cut when it was copied or mailed.',
  password: 'New password',
  confirmation: 'Confirm the new password',
  set: 'Set Password',
  doneTitle: 'Password Set',
  doneText: 'Sign in with your new password.',
  signIn: 'Sign In',
  failedTitle: 'This Link Does Not Work',
  failedText:
    'It was used already, a later one was issued, or it is older than 24 hours. Ask an administrator of this hub for a new one.',
  ask: 'Administrator:',
  back: 'Back to sign-in',
});
