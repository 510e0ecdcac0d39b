import { ActionError } from '@corral/contract';
import { isCommonPassword } from './common-passwords.ts';

const minimumCharacters = 8;
const maximumBytes = 1024;
const productName = 'corral';

/**
 * Throws an `ActionError` of kind Invalid unless the owner of an e-mail address may use a password. It is checked
 * exactly as typed: not trimmed, not truncated, without rules about kinds of characters.
 */
export function mustBeGoodPassword(password: string, email: string): void {
  // oxlint-disable-next-line typescript/no-misused-spread -- people count code points, not UTF-16 units
  if ([...password].length < minimumCharacters) throw invalid('Password must be at least 8 characters long.');
  if (Buffer.byteLength(password) > maximumBytes) throw invalid('Password must be at most 1024 bytes long.');
  const typed = password.toLowerCase();
  if (isCommonPassword(typed))
    throw invalid('This password is one of the most common ones. Please choose another one.');
  if (isNameOf(typed, email))
    throw invalid(
      'The password must not be your e-mail address or the name of this product. Please choose another one.',
    );
}

/** The address, its local part, or the product's name, also with digits and punctuation appended. */
function isNameOf(typed: string, email: string): boolean {
  const names = [productName, email, email.split('@')[0] ?? email];
  const bare = typed.replace(/[^\p{L}]+$/u, '');
  return names.some((name) => typed === name || bare === name || typed === name.repeat(2));
}

function invalid(sentence: string): ActionError {
  return new ActionError('Invalid', sentence);
}
