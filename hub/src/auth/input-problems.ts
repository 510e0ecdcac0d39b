import { ActionError, problemMessages, type Problem } from '@corral/contract';

/** Throws an `ActionError` of kind Invalid with the sentence of a problem, if there is one. */
export function mustHaveNoProblem(problem: Problem | undefined): void {
  if (problem !== undefined) throw new ActionError('Invalid', problemMessages[problem]);
}
