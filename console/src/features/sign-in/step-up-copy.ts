import { catalogue } from '../../copy/catalogue.ts';

/** The texts of the dialog that asks who it is, which the sign-in page does not load. */
export const stepUpCopy = catalogue('stepUp', {
  title: 'Confirm that it is you',
  textPassword: 'This takes your password again, because you gave it more than ten minutes ago.',
  textFactor: 'This takes a code of your authenticator app, because you confirmed more than ten minutes ago.',
  textProvider: (name: string) =>
    `This takes a new sign-in at ${name}, because the last proof of who you are is more than ten minutes old. It opens in another tab; this page stays as it is, and goes on by itself.`,
  waiting: (name: string) => `Sign in at ${name} in the other tab. This goes on by itself then.`,
  noWay:
    'Nothing that you have can confirm this here. Sign out, and sign in again, or ask an administrator to remove your second factor.',
  atProvider: (name: string) => `Confirm at ${name}`,
  usePassword: 'Use your password instead',
  again: (name: string) => `Open ${name} again`,
  blocked: 'The browser blocked the new tab. Allow this page to open some, and try again.',
  refused: 'That did not confirm that it is you. The other tab says why.',
  submit: 'Confirm',
});
