import { expect, test } from 'vitest';
import { parseExactJson } from '../exact-json.ts';
import { checkJsonSchema } from './check-json-schema.ts';

/** The problem in one line; undefined if there is none. */
function problem(schema: unknown, value: unknown): string | undefined {
  const found = checkJsonSchema(schema, value, {
    matches: (pattern, text) => new RegExp(pattern, 'u').test(text),
  });
  return found === undefined ? undefined : `input${found.path} ${found.message}`;
}

const restart = {
  type: 'object',
  properties: {
    unit: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
    delaySecs: { type: 'integer', minimum: 0, maximum: 600 },
    mode: { enum: ['soft', 'hard'] },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 2 },
  },
  required: ['unit'],
  additionalProperties: false,
};

test.each([
  [{ unit: 'nginx' }, undefined],
  [{ unit: 'nginx', delaySecs: 600, mode: 'soft', tags: ['a', 'b'] }, undefined],
  [null, 'input must be an object'],
  [{}, 'input.unit is missing'],
  [{ unit: 7 }, 'input.unit must be a text'],
  [{ unit: 'NGINX' }, 'input.unit must match ^[a-z]+$'],
  [{ unit: 'postgres' }, 'input.unit must have at most 5 characters'],
  [{ unit: 'nginx', delaySecs: 1.5 }, 'input.delaySecs must be a whole number'],
  [{ unit: 'nginx', delaySecs: 601 }, 'input.delaySecs must be at most 600'],
  [{ unit: 'nginx', mode: 'firm' }, 'input.mode must be one of "soft", "hard"'],
  [{ unit: 'nginx', tags: ['a', 'a'] }, 'input.tags must not have an item twice'],
  [{ unit: 'nginx', tags: ['a', 2] }, 'input.tags[1] must be a text'],
  [{ unit: 'nginx', 'now!': true }, 'input["now!"] is unknown'],
])('an input %j is checked against the schema of a command', (input, wanted) => {
  expect(problem(restart, input)).toBe(wanted);
});

// As text: a literal with `then` looks like a promise to the linter.
const branching = parseExactJson('{"if": {"type": "string"}, "then": {"minLength": 2}, "else": false}');

test.each([
  [
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    3,
    'input must have one of the forms that its schema lists',
  ],
  [
    { oneOf: [{ type: 'number' }, { minimum: 1 }] },
    3,
    'input must have exactly one of the forms that its schema lists',
  ],
  [{ allOf: [{ type: 'number' }, { minimum: 4 }] }, 3, 'input must be at least 4'],
  [{ not: { type: 'number' } }, 3, 'input has a form that its schema excludes'],
  [branching, 'x', 'input must have at least 2 characters'],
  [branching, 3, 'input is not allowed'],
  [{ const: { a: 1, b: 2 } }, { b: 2, a: 1 }, undefined],
  [{ multipleOf: 0.1 }, 0.3, undefined],
  [{ exclusiveMinimum: 3 }, 3, 'input must be more than 3'],
  [{ prefixItems: [{ type: 'string' }], items: false }, ['a', 1], 'input[1] is not allowed'],
  [{ contains: { const: 1 } }, [2], 'input does not have the items that its schema asks for'],
  [
    { patternProperties: { '^x-': true }, additionalProperties: false },
    { 'x-a': 1, b: 1 },
    'input.b is unknown',
  ],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'input.b is missing'],
  [{ $ref: '#/$defs/port', $defs: { port: { maximum: 65_535 } } }, 70_000, 'input must be at most 65535'],
  [
    { $ref: 'https://example.org/schema' },
    1,
    'input cannot be checked: its schema is at https://example.org/schema',
  ],
  [{ format: 'email', unknownKeyword: 1 }, 'x', undefined],
  [true, 'x', undefined],
])('the schema %j of %j', (schema, value, wanted) => {
  expect(problem(schema, value)).toBe(wanted);
});

test('an integer beyond 2^53 is a whole number', () => {
  expect(problem({ type: 'integer', minimum: 1 }, parseExactJson('9007199254740993'))).toBeUndefined();
});

test('expressions of a schema are not tested unless the caller has a way to', () => {
  expect(checkJsonSchema({ pattern: '^(a+)+$' }, `${'a'.repeat(40)}b`)).toBeUndefined();
});

test('a schema that refers to itself, or branches without end, takes a bounded time', () => {
  const loop = { anyOf: [{ $ref: '#' }, { $ref: '#' }] };
  expect(problem(loop, 1)).toBe('input cannot be checked: its schema is too complex');
  const tree = { $ref: '#/$defs/n0', $defs: {} as Record<string, unknown> };
  for (let level = 0; level < 60; level += 1)
    tree.$defs[`n${level}`] = {
      oneOf: [{ $ref: `#/$defs/n${level + 1}` }, { $ref: `#/$defs/n${level + 1}` }],
    };
  expect(problem(tree, 1)).toBe('input cannot be checked: its schema is too complex');
});

const many = (count: number, value: unknown): unknown[] => Array.from({ length: count }, () => value);
const long = 'x'.repeat(65_536);
const names = Array.from({ length: 20_000 }, (_, index) => `n${index}`);
const fields = Object.fromEntries(names.map((name) => [name, 1]));

test.each<[string, unknown, unknown]>([
  ['choices', { enum: many(300_000, 0) }, 1],
  ['a big choice', { const: many(300_000, 0) }, 1],
  ['a choice of a long text', { const: 1 }, long],
  ['a choice of deep lists', { const: parseExactJson('['.repeat(5_000) + ']'.repeat(5_000)) }, 1],
  ['types', { type: many(300_000, 'null') }, 1],
  ['names', { required: names, not: {} }, fields],
  ['a long name', { required: [long] }, {}],
  ['names that depend on others', { dependentRequired: fields, not: {} }, {}],
  ['expressions of names', { patternProperties: fields, not: {} }, { a: 1 }],
  ['a reference', { $ref: `#${'/x'.repeat(50_000)}`, not: {} }, 1],
  ['fields', { minProperties: 50_000 }, fields],
  ['the length of a text', { minLength: 100_000 }, long],
  ['the size of a number', { minimum: 1 }, parseExactJson(`-${'9'.repeat(65_536)}`)],
  ['items twice', { uniqueItems: true, not: {} }, names],
])('reading %s again and again takes a bounded time', (_what, big, value) => {
  // Few enough forms for the bound of these alone.
  const schema = { anyOf: many(15_000, { $ref: '#/big' }), big };
  expect(checkJsonSchema(schema, value)?.message).toBe('cannot be checked: its schema is too complex');
});
