import { ActionError, passwordProblem } from '@corral/contract';
import { isCommonPassword } from './common-passwords.ts';
import { mustHaveNoProblem } from './input-problems.ts';

/** Throws an `ActionError` of kind Invalid unless the owner of an e-mail address may use a password. */
export function mustBeGoodPassword(password: string, email: string): void {
  mustHaveNoProblem(passwordProblem(password, email));
  if (isCommonPassword(password.normalize().toLowerCase()))
    throw new ActionError(
      'Invalid',
      'This password is one of the most common ones. Please choose another one.',
    );
}
