import { canonicalEmail, emailProblem } from '@corral/contract';
import { mustHaveNoProblem } from './input-problems.ts';

/** The canonical form of an e-mail address. Throws an `ActionError` of kind Invalid for any other text. */
export function mustBeEmail(typed: string): string {
  mustHaveNoProblem(emailProblem(typed));
  return canonicalEmail(typed);
}
