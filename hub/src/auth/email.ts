import { ActionError } from '@corral/contract';

// Without the signs that mean something between addresses: `a,b@example.com` would be mail to b.
const shape = /^[^\s@\p{Cc}<>()[\]\\,;:"]+@[^\s@\p{Cc}<>()\\,;"]+$/u;
const maximumCharacters = 254;

/** The one form in which an e-mail address is kept and compared: trimmed and in lower case. */
export function canonicalEmail(typed: string): string {
  return typed.trim().toLowerCase();
}

/** The canonical form of what was typed; throws an `ActionError` of kind Invalid when that is no e-mail address. */
export function mustBeEmail(typed: string): string {
  const email = canonicalEmail(typed);
  if (shape.test(email) && email.length <= maximumCharacters) return email;
  throw new ActionError('Invalid', 'Please enter a valid email address.');
}
