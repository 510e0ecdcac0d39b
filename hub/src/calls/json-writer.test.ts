import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostPerTurn } from '../../test/count-per-turn.ts';
import { withJsonTexts } from '../platform/db/json-text.ts';
import { encodeJson } from './json.ts';

const encoded = async (value: unknown) => Buffer.concat(await encodeJson(value)).toString();

const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 6 },
    fc.jsonValue(),
    fc.constantFrom(undefined, Symbol('left out'), () => 1, new Date(0), Number.NaN),
    fc.string({ unit: 'binary' }),
    fc.array(tie('any')),
    fc.dictionary(fc.string(), tie('any')),
  ),
})).any;

test('an answer is encoded as JSON.stringify does', () =>
  fc.assert(
    fc.asyncProperty(value, async (answer) => {
      const whole = JSON.stringify(answer) as string | undefined;
      expect(await encoded(answer)).toBe(whole ?? 'null');
    }),
    { numRuns: 500 },
  ));

test('documents that are text are written as they are, wherever they are, and read parsed', async () => {
  const row = () => withJsonTexts({ id: 1, value: {}, at: 'now' }, { value: '{"a": [1.50]}' });
  const written = '{"id":1,"value":{"a": [1.50]},"at":"now"}';
  expect(await encoded(row())).toBe(written);
  expect(await encoded({ rows: [row(), 2, row()] })).toBe(`{"rows":[${written},2,${written}]}`);
  expect(await encoded({ properties: { one: row() } })).toBe(`{"properties":{"one":${written}}}`);
  expect(row()).toEqual({ id: 1, value: { a: [1.5] }, at: 'now' });
});

test('a large answer is encoded in portions of 128 KiB, except for larger items', async () => {
  const sizes = async (answer: unknown) => (await encodeJson(answer)).map(({ length }) => length);
  const large = { rows: Array.from({ length: 10_000 }, (_, id) => ({ id, name: 'x'.repeat(100) })) };
  expect(await encoded(large)).toBe(JSON.stringify(large));
  expect(Math.max(...(await sizes(large)))).toBeLessThan(131_072 + 200);
  expect(await sizes(large)).toHaveLength(10);
  const text = 'é'.repeat(200_000);
  expect(await sizes({ texts: [text, text] })).toEqual([400_012, 400_003, 2]);
  expect(await sizes({ properties: { a: { value: text }, b: { value: text } } })).toHaveLength(3);
});

test('one turn of the event loop encodes only a part of a long list', async () => {
  const most = await mostPerTurn((count) => {
    const row = { toJSON: () => (count(), 'x'.repeat(298)) };
    return encodeJson({ rows: Array.from({ length: 10_000 }, () => row) });
  });
  expect(most).toBeLessThanOrEqual(Math.ceil(131_072 / 300));
  const mostSmall = await mostPerTurn((count) => {
    const row = { toJSON: () => (count(), 0) };
    return encodeJson({ rows: Array.from({ length: 10_000 }, () => row) });
  });
  expect(mostSmall).toBeLessThanOrEqual(1000);
});

test('a value that JSON cannot express is refused', async () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  await expect(encodeJson(cycle)).rejects.toThrow(TypeError);
  await expect(encodeJson({ rows: [1n] })).rejects.toThrow(TypeError);
});
