import { signInMessages } from '@corral/contract';
import { catalogue } from '../../copy/catalogue.ts';

/** The texts of signing in, and of signing in again. */
export const signInCopy = catalogue('signIn', {
  title: 'Welcome Back',
  text: 'Please enter your email and password to sign in.',
  email: 'Email',
  password: 'Password',
  rememberMe: 'Remember me',
  forgot: 'Forgot your password?',
  submit: 'Sign In',
  submitting: 'Signing in',
  noAccount: 'No account yet?',
  signUp: 'Sign up',
  /** In English these are the sentences of the hub. */
  problems: signInMessages,
  steps: {
    factor: { title: 'Second factor', text: 'Enter the code from your authenticator app.' },
    enrolment: {
      title: 'Set up a second factor',
      text: 'This hub asks you for one: signing in then takes a code from your phone beside the password.',
    },
  },
  finish: 'Turn On and Sign In',
  codesStored: 'I stored them',
  startAgain: 'Start again',
  atProvider: (name: string) => `Sign in with ${name}`,
  signedOut: {
    title: 'You are signed out',
    text: 'You may close this page. Your session at the provider may still be open.',
  },
  /** Why a sign-in at the provider did not succeed, by the word with which the hub leads back here. */
  providerProblems: {
    denied: 'The sign-in was cancelled at the provider.',
    invalid: 'The answer of the provider could not be verified. Sign in again.',
    clock: 'The clock of the provider differs from the one of this hub. Ask an administrator.',
    unreachable: 'The provider could not be reached. Try again in a moment, or sign in another way.',
    unknown:
      'No account of this hub is linked to the one with which you signed in at the provider. Sign in another way and link it in your settings, under Security, or ask an administrator.',
    throttled: 'Too many sign-ins. Try again in a moment.',
  },
  wrongCredentials: 'Invalid username or password!',
  again: {
    title: 'Sign in again',
    text: 'Your session has ended. Sign in to continue; nothing on this page is lost.',
    asOther: 'Go to the sign-in page',
  },
});
