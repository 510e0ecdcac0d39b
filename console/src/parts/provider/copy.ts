import { catalogue } from '../../copy/catalogue.ts';

/** The texts of signing in at the provider, and of linking an account there. */
export const providerCopy = catalogue('provider', {
  signIn: (name: string) => `Sign in with ${name}`,
  preferred: 'Not everybody may sign in with a password on this hub. Passkeys work as before.',
  other: 'Sign in another way',
  /** Why a sign-in or a link did not succeed, by the word with which the hub leads back here. */
  problems: {
    denied: 'The sign-in was cancelled at the provider.',
    invalid: 'The answer of the provider could not be verified. Try again.',
    clock: 'The clock of the provider differs from the one of this hub. Ask an administrator.',
    unreachable: 'The provider could not be reached. Try again in a moment, or sign in another way.',
    unknown:
      'No account of this hub is linked to the one with which you signed in at the provider. Sign in another way and link it in your settings, under Security, or ask an administrator.',
    taken:
      'That account at the provider is linked to another account of this hub, or yours has as many as it can have.',
    throttled: 'Too many sign-ins. Try again in a moment.',
  },
});

/** The sentence of a word with which the hub leads back here. */
export function problemOf(word: string | undefined): string | undefined {
  const { problems } = providerCopy;
  if (word === undefined) return undefined;
  const known = ['denied', 'invalid', 'clock', 'unreachable', 'unknown', 'taken', 'throttled'] as const;
  return problems[known.find((one) => one === word) ?? 'invalid'];
}
