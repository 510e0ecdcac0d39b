import type { Json } from '../src/expression.ts';
import type { Outcome } from '../src/evaluation-error.ts';
import { meetsRequirement, RequirementError, VersionError } from '../src/versions.ts';
import type { Answer } from './reference.ts';

/** What a requirement answers has tests of its own. */
export function meets(version: string, requirement: string): Answer {
  try {
    return ['value', meetsRequirement(version, requirement)];
  } catch (error) {
    if (error instanceof VersionError) return ['error', 'BadVersion'];
    if (error instanceof RequirementError) return ['error', 'BadRequirement'];
    throw error;
  }
}

export function answer(outcome: Outcome<Json | undefined>): Answer {
  if (outcome.error !== undefined) return ['error', outcome.error.kind];
  return outcome.value === undefined ? ['gone'] : ['value', outcome.value];
}
