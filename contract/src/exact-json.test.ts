import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parseExactJson, parseJsonWithBigInts } from './exact-json.ts';

const rewritten = (text: string) => JSON.stringify(parseExactJson(text));

test.each([
  '9007199254740993',
  '-9007199254740993',
  '18446744073709551615',
  '{"ns":1764252000123456789,"more":[1,-170141183460469231731687303715884105729]}',
  `[${'7'.repeat(308)}]`,
])('keeps all digits of %s', (text) => {
  expect(rewritten(text)).toBe(text);
});

test.each([
  ['9007199254740992', 9_007_199_254_740_992],
  ['1000000000000000000000', 1e21],
  ['0.12345678901234567890', 0.123_456_789_012_345_68],
  ['12345678901234567e3', 12_345_678_901_234_567_000],
  ['1e-0000000000000016', 1e-16],
  ['"9007199254740993"', '9007199254740993'],
  [String.raw`"\"9007199254740993"`, '"9007199254740993'],
  [String.raw`"\\"`, '\\'],
])('reads %s as JSON.parse does', (text, value) => {
  expect(parseExactJson(text)).toBe(value);
});

test.each([
  '{9007199254740993:1}',
  '{9007199254740993 \n:1}',
  'a9007199254740993',
  '+9007199254740993',
  '09007199254740993',
  '- 9007199254740993',
  '9007199254740993 9007199254740993',
  '"9007199254740993',
])('refuses %s, which is no JSON', (text) => {
  expect(() => parseExactJson(text)).toThrow(SyntaxError);
});

test('writes back what JSON.stringify wrote, with integers of any size anywhere', () => {
  const bigInteger = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String);
  const values = fc.letrec<{ text: string }>((tie) => ({
    text: fc.oneof(
      { depthSize: 'small' },
      bigInteger.filter((text) => rewritten(`${text}`) === text),
      fc.string().map((text) => JSON.stringify(text)),
      fc.array(tie('text'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
      fc
        .uniqueArray(fc.tuple(fc.string(), tie('text')), { maxLength: 4, selector: ([key]) => key })
        .filter((fields) => fields.every(([key]) => key !== '__proto__' && !/^\d+$/.test(key)))
        .map((fields) => `{${fields.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`),
    ),
  })).text;
  fc.assert(fc.property(values, (text) => void expect(rewritten(text)).toBe(text)));
});

const mixed = '{"ns":[1764252000123456789,-9007199254740993,9007199254740992,1],"big":"9007199254740993"}';
const withBigInts = { ns: [1764252000123456789n, -9007199254740993n, 2 ** 53, 1], big: '9007199254740993' };

test('reads integers that a double would change as bigints, where that is asked for', () => {
  expect(parseJsonWithBigInts(mixed)).toEqual(withBigInts);
  expect(parseJsonWithBigInts('[1.0,-0,1e21]')).toEqual([1, -0, 1e21]);
});

test('reads bigints where the platform has no JSON.rawJSON', async () => {
  vi.stubGlobal('JSON', { parse: JSON.parse, stringify: JSON.stringify });
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.resetModules();
  const older = await import('./exact-json.ts');
  expect(older.parseJsonWithBigInts(mixed)).toEqual(withBigInts);
  expect(older.parseExactJson('9007199254740993')).toBe(2 ** 53);
});
