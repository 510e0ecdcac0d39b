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
    exists:
      'There is an account with this address already. Sign in to it another way, and link the provider in your settings, under Security.',
    invitation:
      'The invitation was revoked, was used, or has ended; or it is for somebody else. Ask for a new one.',
    throttled: 'Too many sign-ins. Try again in a moment.',
    notproved:
      'The provider did not ask you to sign in again, so that this proves nothing. Sign out there, or ask an administrator: the provider has to heed max_age.',
    notyours: 'You signed in at the provider with another account than the one that is linked to yours here.',
  },
});

/** The sentence of a word with which the hub leads back here. */
export function problemOf(word: string | undefined): string | undefined {
  const { problems } = providerCopy;
  if (word === undefined) return undefined;
  return isProblem(word) ? problems[word] : problems.invalid;
}

function isProblem(word: string): word is keyof typeof providerCopy.problems {
  return Object.hasOwn(providerCopy.problems, word);
}
