import { catalogue } from '../../copy/catalogue.ts';

/** The texts of the dialog that asks who it is, which the sign-in page does not load. */
export const stepUpCopy = catalogue('stepUp', {
  title: 'Confirm that it is you',
  textPassword: 'This takes your password again, because you gave it more than ten minutes ago.',
  textFactor: 'This takes a code of your authenticator app, because you confirmed more than ten minutes ago.',
  submit: 'Confirm',
});
