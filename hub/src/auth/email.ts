import { ActionError } from '@corral/contract';

// Characters that separate addresses are refused: `a,b@example.com` would be mail to b.
const pattern = /^[^\s@\p{Cc}<>()[\]\\,;:"]+@[^\s@\p{Cc}<>()\\,;"]+$/u;
const maximumCharacters = 254;

/** The form in which e-mail addresses are stored and compared: trimmed and in lower case. */
export function canonicalEmail(typed: string): string {
  return typed.trim().toLowerCase();
}

/** The canonical form of an e-mail address. Throws an `ActionError` of kind Invalid for any other text. */
export function mustBeEmail(typed: string): string {
  const email = canonicalEmail(typed);
  if (pattern.test(email) && email.length <= maximumCharacters) return email;
  throw new ActionError('Invalid', 'Please enter a valid email address.');
}
