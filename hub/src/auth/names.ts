import {
  filenameProblem,
  labelProblem,
  nameProblem,
  pathNameProblem,
  repositoryNameProblem,
} from '@corral/contract';
import { mustHaveNoProblem } from './input-problems.ts';

/** A name, trimmed. Throws an `ActionError` of kind Invalid when it is blank or too long; `kind` selects the sentence. */
export function mustBeName(typed: string, kind: Parameters<typeof nameProblem>[1]): string {
  mustHaveNoProblem(nameProblem(typed, kind));
  return typed.trim();
}

/** The name of a repository, trimmed. Throws an `ActionError` of kind Invalid when it breaks the rule. */
export function mustBeRepositoryName(typed: string): string {
  mustHaveNoProblem(repositoryNameProblem(typed));
  return typed.trim();
}

/** The name of a package or a tag. Throws an `ActionError` of kind Invalid when it breaks the rule. */
export function mustBePathName(typed: string, kind: Parameters<typeof pathNameProblem>[1]): string {
  mustHaveNoProblem(pathNameProblem(typed, kind));
  return typed;
}

/** The kind of a package or the name of a version, trimmed; null when blank or absent. Throws an `ActionError` of kind Invalid when it is too long. */
export function labelOrNull(
  typed: string | undefined,
  kind: Parameters<typeof labelProblem>[1],
): string | null {
  if (typed === undefined) return null;
  mustHaveNoProblem(labelProblem(typed, kind));
  return typed.trim() === '' ? null : typed.trim();
}

/** The name of a file, as it is. Throws an `ActionError` of kind Invalid when it breaks the rule. */
export function mustBeFilename(typed: string): string {
  mustHaveNoProblem(filenameProblem(typed));
  return typed;
}
