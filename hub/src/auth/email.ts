import { canonicalEmail, emailProblem } from '@corral/contract';
import { requireNoProblem } from './input-problems.ts';

/** The canonical form of an e-mail address. Throws an `ActionError` of kind Invalid for any other text. */
export function mustBeEmail(typed: string): string {
  requireNoProblem(emailProblem(typed));
  return canonicalEmail(typed);
}
