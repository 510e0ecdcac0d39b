import type { Json } from '@corral/contract';
import type { Turn } from '../sql/operations.ts';

/** The result of a condition: whether it holds, or why that cannot be said. */
export type Verdict = { readonly holds: boolean } | { readonly error: string; readonly isMissing: boolean };

/** Evaluates a condition with the properties of a device, by its raw id; with a time only those that were written after it. */
export async function evaluateCondition(
  _turn: Turn,
  _deviceId: string,
  predicate: Json,
  _writtenAfter?: string,
): Promise<Verdict> {
  const literal = predicate as { kind?: string; value?: Json };
  if (literal.kind === 'Literal' && typeof literal.value === 'boolean') return { holds: literal.value };
  return { error: 'This condition cannot be evaluated.', isMissing: false };
}
