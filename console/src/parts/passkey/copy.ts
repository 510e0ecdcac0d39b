import { catalogue } from '../../copy/catalogue.ts';

/** The texts of using passkeys, and why a browser did not use or make one. */
export const passkeyCopy = catalogue('passkey', {
  signIn: 'Sign in with a passkey',
  notUsed: 'No passkey was used: the browser was told no, or it took too long.',
  notMade: 'No passkey was made: the browser was told no, or it took too long.',
  known: 'This device, or the service that keeps its passkeys, has one for your account already.',
  unable: 'This browser cannot do this here.',
});
