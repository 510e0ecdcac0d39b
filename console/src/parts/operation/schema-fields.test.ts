import { expect, test } from 'vitest';
import { hasSecret, readInput, schemaFields } from './schema-fields.ts';

const numbers = { type: 'object', properties: { count: { type: 'integer' }, factor: { type: 'number' } } };

test.each([
  [{ count: ' 7 ' }, '{"count":7}'],
  [{ count: '-007' }, '{"count":-7}'],
  [{ count: '1e3', factor: '2.5' }, '{"count":1000,"factor":2.5}'],
  [{ count: '9007199254740993' }, '{"count":9007199254740993}'],
  [{ count: '  ', factor: '' }, '{}'],
])('numbers are read in decimal notation, with all their digits: %j', (typed, input) => {
  expect(JSON.stringify(readInput(numbers, typed).input)).toBe(input);
});

test.each(['0x10', '1.5', 'Infinity', '1e400', '1_000', '.5e1'])('%s is no whole number', (count) => {
  expect(readInput(numbers, { count }).problems?.get('count')).toBe('This is not a whole number.');
});

test('JSON keeps the digits of its integers', () => {
  const { input } = readInput(undefined, { '': '{"at": 1730000000123456789}' });
  expect(JSON.stringify(input)).toBe('{"at":1730000000123456789}');
});

test.each([
  [{ type: 'object' }, 0],
  [{ type: 'object', additionalProperties: false }, 0],
  [{ type: 'object', properties: {}, title: 'Nothing' }, 0],
  [{ type: 'object', additionalProperties: { type: 'string' } }, undefined],
  [{ type: 'object', required: ['service'] }, undefined],
  [{ type: 'object', properties: { a: {} }, required: ['b'] }, undefined],
  [{ type: 'object', properties: { a: {} }, required: ['a'] }, 1],
])('%j has %s fields; undefined is JSON', (schema, fields) => {
  expect(schemaFields(schema)?.length).toBe(fields);
});

test('names of every object are names of fields like others', () => {
  const schema = JSON.parse(
    '{"properties": {"constructor": {"type": "string"}, "__proto__": {"type": "string"}}}',
  );
  expect(readInput(schema, {}).input).toEqual({});
  const typed = JSON.parse('{"constructor": "a", "__proto__": "b"}');
  expect(JSON.stringify(readInput(schema, typed).input)).toBe('{"constructor":"a","__proto__":"b"}');
});

test('what was typed into a form is not replaced by an empty input when no schema is known', () => {
  expect(readInput(undefined, { delay: '3' }).problems?.get('')).toMatch(/belongs to a form/u);
  expect(readInput(undefined, { delay: '' }).input).toEqual({});
});

test('JSON that was typed before fields were known is the input', () => {
  expect(readInput(numbers, { '': '{"count": 3}' }).input).toEqual({ count: 3 });
  expect(readInput(numbers, { '': '{"count": "x"}' }).problems?.size).toBe(1);
});

test('a secret is one whatever its type is, and is read as that type', () => {
  const schema = {
    type: 'object',
    properties: {
      pin: { type: 'integer', writeOnly: true },
      key: { writeOnly: true },
      mode: { enum: ['soft', 7], writeOnly: true },
      word: { type: 'string', format: 'password' },
    },
  };
  expect(schemaFields(schema)?.map(({ isSecret }) => isSecret)).toEqual([true, true, true, true]);
  expect(readInput(schema, { pin: '12', key: '[1]', mode: 'soft', word: ' x' }).input).toEqual({
    pin: 12,
    key: [1],
    mode: 'soft',
    word: ' x',
  });
  expect(readInput(schema, { mode: '7' }).input).toEqual({ mode: 7 });
  expect(hasSecret({ $defs: { a: [schema] } })).toBe(true);
  expect(hasSecret(numbers)).toBe(false);
});
