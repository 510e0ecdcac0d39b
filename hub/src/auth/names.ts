import { ActionError } from '@corral/contract';

const maximumCharacters = 200;

/** A display name, trimmed. Throws an `ActionError` of kind Invalid when it is empty or longer than 200 characters. */
export function mustBeName(typed: string, what: 'Name' | 'Display name'): string {
  const name = typed.trim();
  if (name === '') throw new ActionError('Invalid', `${what} must not be empty.`);
  if (name.length > maximumCharacters) {
    throw new ActionError('Invalid', `${what} must be at most ${maximumCharacters} characters long.`);
  }
  return name;
}
