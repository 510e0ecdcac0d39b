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
    factor: { title: 'Second factor', text: 'Signing in to your account takes one more step.' },
    enrolment: {
      title: 'Set up a second factor',
      text: 'This hub asks you for one: signing in then takes a code from your phone beside the password.',
    },
  },
  signedOut: {
    title: 'You are signed out',
    text: 'You may close this page. Your session at the provider may still be open.',
  },
  wrongCredentials: 'Invalid username or password!',
  again: {
    title: 'Sign in again',
    text: 'Your session has ended. Sign in to continue; nothing on this page is lost.',
    asOther: 'Go to the sign-in page',
  },
});
