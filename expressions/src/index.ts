/**
 * Expressions over the properties of devices, and mutations of them: evaluated exactly, within a bound of work, without clocks and without I/O.
 *
 *     const scope = new Map([['ota', { version: '2026.08.1' }]]);
 *     const outcome = evaluatePredicate(predicate, scope);
 *     if (outcome.error?.kind === 'Missing') keepWaiting();
 *     else if (outcome.error !== undefined) fail(outcome.error.message);
 *     else if (outcome.value) proceed();
 *
 *     applyMutation({ mutation: 'Set', path: ['ring'], expr: { kind: 'Literal', value: 'canary' } }, undefined, scope);   // { value: { ring: 'canary' } }
 */
export { applyMutation } from './apply-mutation.ts';
export { evaluate, evaluatePredicate, type Scope } from './evaluate.ts';
export type { EvaluationError, EvaluationErrorKind, Outcome } from './evaluation-error.ts';
export type { Expr, Json, Mutation, Path, PathSegment } from './expression.ts';
export { namesIn } from './names-in.ts';
export { fromParts, partsIn } from './parts-in.ts';
export { meetsRequirement, requirementProblem, RequirementError, VersionError } from './versions.ts';
