import { readFileSync } from 'node:fs';
import { exprSchema, mutationSchema, parseInput, type Expr, type Mutation } from '@corral/contract';
import { expect, expectTypeOf, test } from 'vitest';
import { applyMutation } from './apply-mutation.ts';
import { evaluate } from './evaluate.ts';
import type { Outcome } from './evaluation-error.ts';
import type * as room from './expression.ts';
import { meetsRequirement } from './versions.ts';

const page = readFileSync(new URL('../../docs/expressions.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(/ (?<!\\)\| /));
const code = (cell = '') =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll('\\|', '|'));
const properties = JSON.parse(/```json\n([^`]+)```/.exec(page)?.[1] ?? '') as Record<string, room.Json>;

function written(outcome: Outcome<room.Json | undefined>): string {
  const { error } = outcome;
  return error === undefined ? `\`${JSON.stringify(outcome.value)}\`` : `${error.kind}: ${error.message}`;
}

const expressions = rows.filter(([cell = '']) => cell.startsWith('`{"kind"'));
test.each(expressions)('%s is %s', (cell, result) => {
  const expr = parseInput(exprSchema, JSON.parse(code(cell)[0] ?? ''));
  expect(written(evaluate(expr, new Map(Object.entries(properties))))).toBe(result);
});

const mutations = rows.filter(([, cell = '']) => cell.startsWith('`{"mutation"'));
test.each(mutations)('%s changed by %s', (before, cell, after) => {
  const current = before === 'none' ? undefined : (JSON.parse(code(before)[0] ?? '') as room.Json);
  const mutation = parseInput(mutationSchema, JSON.parse(code(cell)[0] ?? ''));
  expect(written(applyMutation(mutation, current, new Map()))).toBe(after);
});

const requirements = rows.slice(
  rows.findIndex(([cell]) => cell === 'Requirement') + 2,
  rows.findIndex(([cell]) => cell === 'Before'),
);
test.each(requirements)('%s', (cell, meeting, others) => {
  const [requirement = ''] = code(cell);
  for (const version of code(meeting)) expect(meetsRequirement(version, requirement), version).toBe(true);
  for (const version of code(others)) expect(meetsRequirement(version, requirement), version).toBe(false);
});

test('the page has examples of every kind', () => {
  expect([expressions.length, mutations.length, requirements.length]).toEqual([15, 7, 10]);
});

test('what the contract accepts is what the package evaluates', () => {
  expectTypeOf<Expr>().toExtend<room.Expr>();
  expectTypeOf<Mutation>().toExtend<room.Mutation>();
  expectTypeOf<room.Expr['kind']>().toEqualTypeOf<Expr['kind']>();
  expectTypeOf<room.Mutation['mutation']>().toEqualTypeOf<Mutation['mutation']>();
});
