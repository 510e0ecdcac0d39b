import { ActionError, exprSchema, mutationSchema, parseExactJson, parseInput } from '@corral/contract';
import {
  applyMutation,
  evaluate,
  evaluatePredicate,
  type EvaluationError,
  type Json,
} from '@corral/expressions';
import type { Random } from '../Random.ts';
import { assertThat, type Target } from '../target.ts';

const samples = [
  '{"kind":"And","exprs":[{"kind":"Exists","expr":{"kind":"NamedValue","name":"ota"},"path":["slots",0]},{"kind":"Literal","value":true}]}',
  '{"kind":"VersionRequirement","expr":{"kind":"Get","expr":{"kind":"NamedValue","name":"ota"},"path":["version"]},"requirement":">=2026.08, <2027 || ~1.4.2-rc.1 || 2026-08-14-r3"}',
  '{"kind":"In","left":{"kind":"Literal","value":9007199254740993},"right":{"kind":"NamedValue","name":"ids","default":{"kind":"Literal","value":[]}}}',
  '{"kind":"Not","expr":{"kind":"LessThan","left":{"kind":"NamedValue","name":"count"},"right":{"kind":"Literal","value":1.5e3}}}',
  '{"kind":"Get","expr":{"kind":"NamedValue","name":"absent"},"path":["a"]}',
  '{"mutation":"MergePatch","path":["slots",0],"expr":{"kind":"Literal","value":{"a":null,"b":{"c":[1]}}}}',
  '{"mutation":"Set","path":["a","b"],"expr":{"kind":"Get","expr":{"kind":"Current"},"path":["version"]}}',
  '{"mutation":"Remove","path":["slots",1]}',
];
const properties = new Map<string, Json>([
  ['ota', { version: '2026.08.1', slots: ['a', 'b'] }],
  ['count', 7],
  ['ids', [parseExactJson('9007199254740993') as Json, 'a', null]],
]);
/** The hub refuses deeper bodies before they are parsed. */
const maxDepth = 32;

/** Expressions and mutations that clients send: any text is refused with a sentence, or has an outcome. */
export const expressionTarget: Target = {
  name: 'expression',
  count: () => 1,
  sample: (random: Random) => new TextEncoder().encode(random.pick(samples)),
  run(input) {
    const text = new TextDecoder().decode(input);
    const value = isDeep(text) ? undefined : jsonIn(text);
    if (value === undefined) return 'no JSON';
    try {
      const isMutation = typeof value === 'object' && value !== null && 'mutation' in value;
      return isMutation ? changed(value) : evaluated(value);
    } catch (error) {
      if (!(error instanceof ActionError)) throw error;
      requireSentence(error.message);
      return `refused: ${/ (is missing|may have|must|has no field|is wrong|may not)/.exec(error.message)?.[1] ?? 'otherwise'}`;
    }
  },
};

function evaluated(value: unknown): string {
  const expr = parseInput(exprSchema, value);
  const [any, predicate] = [evaluate(expr, properties), evaluatePredicate(expr, properties)];
  assertThat(any.error !== undefined || any.value !== undefined, 'an expression has a value or an error');
  assertThat(
    predicate.error !== undefined || typeof predicate.value === 'boolean',
    'a predicate is a boolean',
  );
  return predicate.error === undefined ? String(predicate.value) : kindOf(predicate.error);
}

function changed(value: unknown): string {
  const mutation = parseInput(mutationSchema, value);
  const before = JSON.stringify([...properties]);
  const { error } = applyMutation(mutation, properties.get('ota'), properties);
  assertThat(JSON.stringify([...properties]) === before, 'a mutation leaves the value before as it was');
  assertThat(Object.keys(Object.prototype).length === 0, 'no prototype is changed');
  return error === undefined ? mutation.mutation : kindOf(error);
}

function kindOf({ kind, message }: EvaluationError): string {
  requireSentence(message);
  return kind;
}

function requireSentence(message: string): void {
  assertThat(/[.?]$/.test(message) && message.length < 1_000, 'an error is a sentence');
}

function jsonIn(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > maxDepth) return true;
  }
  return false;
}
