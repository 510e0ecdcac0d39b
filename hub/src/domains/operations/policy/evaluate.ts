import { type Json, parseExactJson } from '@corral/contract';
import { applyMutation, evaluatePredicate, type Expr, type Mutation, namesIn } from '@corral/expressions';
import { readPropertiesNamed } from '../../devices/index.ts';
import type { Turn } from '../sql/operations.ts';

/** The result of a condition: whether it holds, or why that cannot be said. */
export type Verdict = { readonly holds: boolean } | { readonly error: string; readonly isMissing: boolean };

/** Evaluates a condition with the properties of a device, by its raw id; with a time only those that were written after it. */
export async function evaluateCondition(
  { tx }: Pick<Turn, 'tx'>,
  deviceId: string,
  predicate: Expr,
  writtenAfter?: string,
): Promise<Verdict> {
  const scope = await scopeOf({ tx }, deviceId, namesIn(predicate), writtenAfter);
  const { value, error } = evaluatePredicate(predicate, scope);
  return error === undefined
    ? { holds: value }
    : { error: error.message, isMissing: error.kind === 'Missing' };
}

/** The value of a property after a mutation, undefined where nothing is left of it; or why it cannot be changed so. */
export async function mutatedValue(
  turn: Pick<Turn, 'tx'>,
  deviceId: string,
  mutation: Mutation,
  current: Json | undefined,
): Promise<{ readonly value: Json | undefined } | { readonly error: string }> {
  const names = mutation.mutation === 'Remove' ? [] : namesIn(mutation.expr);
  const outcome = applyMutation(mutation, current as never, await scopeOf(turn, deviceId, names));
  return outcome.error === undefined ? { value: outcome.value } : { error: outcome.error.message };
}

async function scopeOf(
  { tx }: Pick<Turn, 'tx'>,
  deviceId: string,
  names: Iterable<string>,
  writtenAfter?: string,
): Promise<ReadonlyMap<string, never>> {
  const wanted = [...names];
  const rows = wanted.length === 0 ? [] : await readPropertiesNamed(tx, deviceId, wanted);
  return new Map(
    rows
      .filter(({ updated_at }) => writtenAfter === undefined || isLater(updated_at, writtenAfter))
      .map(({ name, value }) => [name, parseExactJson(value) as never]),
  );
}

/** RFC 3339 texts in UTC of which one may have microseconds. */
function isLater(time: string, than: string): boolean {
  return Date.parse(time) > Date.parse(than);
}
