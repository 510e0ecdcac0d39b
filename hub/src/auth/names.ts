import { nameProblem } from '@corral/contract';
import { requireNone } from './input-problems.ts';

/** A name, trimmed. Throws an `ActionError` of kind Invalid when it is blank or too long; `kind` selects the sentence. */
export function mustBeName(typed: string, kind: Parameters<typeof nameProblem>[1]): string {
  requireNone(nameProblem(typed, kind));
  return typed.trim();
}
