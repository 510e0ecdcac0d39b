import { ActionError } from '@corral/contract';

const maximumCharacters = 200;

/** A name for people to read, trimmed; throws an `ActionError` of kind Invalid when nothing is left, or far too much. */
export function mustBeName(typed: string, what: 'Name' | 'Display name'): string {
  const name = typed.trim();
  if (name === '') throw new ActionError('Invalid', `${what} must not be empty.`);
  if (name.length > maximumCharacters) {
    throw new ActionError('Invalid', `${what} must be at most ${maximumCharacters} characters long.`);
  }
  return name;
}
