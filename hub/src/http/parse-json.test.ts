import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxJsonDepth, parseJson } from './parse-json.ts';

const isSafe = (value: unknown): boolean =>
  !/"(__proto__|constructor)":/.test(
    JSON.stringify(value, (_key, item: unknown) => (typeof item === 'string' ? '' : item)),
  );

test('reads every JSON text as the language does', () => {
  const values = fc.jsonValue({ maxDepth: maxJsonDepth - 1 }).filter(isSafe);
  fc.assert(
    fc.property(values, fc.constantFrom(0, 2, '\t'), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
    }),
  );
});

test('refuses any bytes with a sentence, never with another error', () => {
  const tokens = fc.array(
    fc.constantFrom('{', '}', '[', ']', ':', ',', '"', '\\', 'a', '1', '\\u0061', 'é'),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(tokens, (parts) => {
      try {
        parseJson(Buffer.from(parts.join('')));
      } catch (error) {
        expect(error).toMatchObject({ name: 'ActionError', kind: 'Invalid' });
      }
    }),
    { numRuns: 2_000 },
  );
});

test('sees a key that is written twice wherever it is', () => {
  const keys = fc.uniqueArray(
    fc.string().filter((key) => !['__proto__', 'constructor'].includes(key)),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(keys, fc.nat(), (names, at) => {
      const twice = [...names, names[at % names.length]];
      const text = `[0,{"x":{${twice.map((name) => `${JSON.stringify(name)}:":{"`).join(',')}}}]`;
      expect(() => parseJson(Buffer.from(text))).toThrow('The body names the same key twice in one object.');
    }),
  );
});
