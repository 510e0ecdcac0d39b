import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from './json-text.ts';

test('writes bigints as integers with all their digits', () => {
  expect(jsonText({ at: 1764252000123456789n, more: [-9007199254740993n, '9007199254740993', 1] }, 1)).toBe(
    '{\n "at": 1764252000123456789,\n "more": [\n  -9007199254740993,\n  "9007199254740993",\n  1\n ]\n}',
  );
  expect(jsonText(18446744073709551615n)).toBe('18446744073709551615');
});

test('writes everything else as JSON.stringify does, beside a bigint too', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(jsonText(value, 2)).toBe(JSON.stringify(value, null, 2));
      expect(jsonText([value, 0n])).toBe(JSON.stringify([value, 0]));
    }),
  );
});
