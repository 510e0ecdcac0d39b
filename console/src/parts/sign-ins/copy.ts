import type { AuthenticationMethod } from '@corral/contract';
import { catalogue } from '../../copy/catalogue.ts';

const methodNames: Readonly<Record<AuthenticationMethod, string>> = {
  password: 'Password',
  provider: 'Single sign-on',
  totp: 'Authenticator',
  recoveryCode: 'Recovery code',
  passkey: 'Passkey',
};

/** The texts of sign-ins and of the sessions that they began. */
export const signInsCopy = catalogue('signIns', {
  title: 'Sign-in history',
  kept: 'the last 30 days',
  at: 'When',
  outcome: 'Outcome',
  signedIn: 'Signed in',
  failed: 'Failed',
  notConfirmed: 'Failed to confirm',
  thisSession: 'This session',
  method: 'With',
  by: (methods: readonly AuthenticationMethod[]) => methods.map((method) => methodNames[method]).join(', '),
  from: 'From',
  browser: 'Browser',
  unknown: 'Unknown',
  empty: 'No sign-ins in the last 30 days.',
  loading: 'Loading sign-ins...',
  more: 'Load more',
  unknownBrowser: 'Unknown browser',
  on: (browser: string, system: string) => `${browser} on ${system}`,
});
