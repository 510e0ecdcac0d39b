import { expect, test } from 'vitest';
import { z } from 'zod';
import { exprSchema, mutationSchema } from './expressions.ts';
import { schemaOf } from './openapi.ts';
import { parseInput } from './parse-input.ts';

const input = z.object({ when: exprSchema.optional(), mutation: mutationSchema.optional() });

function refusal(value: unknown): string {
  try {
    parseInput(input, value);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
}

test('every kind is accepted; null stands for an absent default, and unknown fields are dropped', () => {
  const literal = { kind: 'Literal', value: null };
  const named = { kind: 'NamedValue', name: 'dev.nexigon.ota-1_x', default: literal };
  const both = { left: literal, right: named };
  const exprs = [
    literal,
    named,
    { kind: 'Get', expr: named, path: ['a', 0, '__proto__', 4294967295], default: named },
    { kind: 'Equals', ...both },
    { kind: 'NotEquals', ...both },
    { kind: 'LessThan', ...both },
    { kind: 'LessThanOrEquals', ...both },
    { kind: 'GreaterThan', ...both },
    { kind: 'GreaterThanOrEquals', ...both },
    { kind: 'In', ...both },
    { kind: 'Or', exprs: [literal] },
    { kind: 'Not', expr: literal },
    { kind: 'Exists', expr: named, path: [] },
    { kind: 'VersionRequirement', expr: named, requirement: '^1.2' },
  ];
  const when = { kind: 'And', exprs };
  expect(parseInput(input, { when })).toEqual({ when });
  const current = { mutation: 'Set', path: ['a', 0], expr: { kind: 'Not', expr: { kind: 'Current' } } };
  const remove = { mutation: 'Remove', path: [] };
  for (const mutation of [current, remove, { ...current, mutation: 'MergePatch' }])
    expect(parseInput(input, { mutation })).toEqual({ mutation });
  const newer = { kind: 'Not', expr: { kind: 'NamedValue', name: 'a', default: null, unheardOf: 1 } };
  expect(parseInput(input, { when: newer })).toEqual({
    when: { kind: 'Not', expr: { kind: 'NamedValue', name: 'a' } },
  });
});

const named = { kind: 'NamedValue', name: 'a' };
test.each<[value: unknown, message: string]>([
  [
    { when: { kind: 'Not', expr: { kind: 'Xor' } } },
    'The field when.expr.kind must be one of Literal, NamedValue, Get, Equals, NotEquals, LessThan, LessThanOrEquals, GreaterThan, GreaterThanOrEquals, In, And, Or, Not, Exists and VersionRequirement.',
  ],
  [
    { mutation: { mutation: 'Add', path: [] } },
    'The field mutation.mutation must be one of Set, MergePatch and Remove.',
  ],
  [{ when: 5 }, 'The field when is wrong: expected object, received number.'],
  [{ when: { kind: 'Not' } }, 'The field when.expr is missing.'],
  [{ when: { kind: 'Literal' } }, 'The field when.value is missing.'],
  [{ when: { kind: 'Not', exp: named } }, 'The field when has no field exp; did you mean expr?'],
  [
    { when: { kind: 'NamedValue', name: '-a' } },
    'The field when.name must begin with a letter or a digit, and have only letters, digits, ".", "_" and "-".',
  ],
  [
    { when: { kind: 'NamedValue', name: 'a'.repeat(257) } },
    'The field when.name must be at most 256 characters long.',
  ],
  [{ when: { kind: 'And', exprs: [] } }, 'The field when.exprs must have an entry.'],
  [
    { when: { kind: 'And', exprs: [named, { kind: 'Exists', expr: named, path: [true] }] } },
    'The field when.exprs.1.path.0 must be a key of at most 256 characters, or an index.',
  ],
  [
    { when: { kind: 'Get', expr: named, path: Array.from({ length: 33 }, () => 0) } },
    'The field when.path may have at most 32 entries.',
  ],
  [
    { when: { kind: 'VersionRequirement', expr: named, requirement: '' } },
    'The field when.requirement must name a version, such as ^1.4.',
  ],
  [
    { when: { kind: 'VersionRequirement', expr: named, requirement: '1'.repeat(257) } },
    'The field when.requirement must be at most 256 characters long.',
  ],
  [
    { mutation: { mutation: 'Remove', path: ['a', '__proto__'] } },
    'The field mutation.path.1 may not be __proto__ or constructor.',
  ],
])('%j is refused', (value, message) => {
  expect(refusal(value)).toBe(message);
});

test('the current value is known inside a mutation only', () => {
  expect(refusal({ when: { kind: 'Not', expr: { kind: 'Current' } } })).toMatch(
    /^The field when\.expr\.kind must be one of/,
  );
  expect(refusal({ mutation: { mutation: 'Set', path: [], expr: { kind: 'Current' } } })).toBe('accepted');
});

test('OpenAPI refers to expressions by name', () => {
  const schemas: Record<string, unknown> = {};
  const { properties } = schemaOf(input, 'input', schemas);
  expect(properties).toEqual({
    when: { $ref: '#/components/schemas/Expr' },
    mutation: { $ref: '#/components/schemas/Mutation' },
  });
  expect(Object.keys(schemas).toSorted()).toEqual(['Expr', 'Mutation', 'MutationExpr']);
  expect(JSON.stringify(schemas)).not.toMatch(/\$defs|__schema|:\{\}[,}]+"required":\["kind","(?:expr|left)/);
  expect(JSON.stringify(schemas['Expr'])).toContain('"expr":{"$ref":"#/components/schemas/Expr"}');
});
