import { ids, maxInputBytesOf, maxSelectedDevices } from '@corral/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonReader, maxJsonDepth, maxJsonKeys, maxJsonValues } from './json.ts';

/** Reads a document that arrives in pieces of the given sizes, in turn. */
async function read(
  text: string | Buffer,
  pieceBytes: readonly number[] = [],
  maxBytes = 8_000_000,
): Promise<unknown> {
  const reader = new JsonReader('body', maxBytes);
  const bytes = Buffer.from(text as string);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = pieceBytes[turn % pieceBytes.length] ?? bytes.length;
    reader.push(bytes.subarray(at, at + size));
    at += size;
  }
  return reader.end();
}

const isSafe = (value: unknown): boolean =>
  !/"(__proto__|constructor)":/.test(
    JSON.stringify(value, (_key, item: unknown) => (typeof item === 'string' ? '' : item)),
  );

const anyPieces = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 });

test('reads every JSON text like JSON.parse, in any pieces', async () => {
  const values = fc.jsonValue({ maxDepth: maxJsonDepth - 1 }).filter(isSafe);
  await fc.assert(
    fc.asyncProperty(values, fc.constantFrom(0, 2, '\t'), anyPieces, async (value, indent, pieces) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(await read(text, pieces)).toEqual(JSON.parse(text));
    }),
  );
});

test('refuses any bytes with a sentence, never with another error', async () => {
  const tokens = fc.array(
    fc.constantFrom('{', '}', '[', ']', ':', ',', '"', '\\', 'a', '1', '\\u0061', 'é'),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(tokens, anyPieces, async (parts, pieces) => {
      const error = await read(parts.join(''), pieces).catch((thrown: unknown) => thrown);
      if (error instanceof Error) expect(error).toMatchObject({ name: 'ActionError', kind: 'Invalid' });
    }),
    { numRuns: 2_000 },
  );
});

test('finds duplicate keys everywhere', async () => {
  const keys = fc.uniqueArray(
    fc.string().filter((key) => !['__proto__', 'constructor'].includes(key)),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(keys, fc.nat(), anyPieces, async (names, at, pieces) => {
      const twice = [...names, names[at % names.length]];
      const text = `[0,{"x":{${twice.map((name) => `${JSON.stringify(name)}:":{"`).join(',')}}}]`;
      await expect(read(text, pieces)).rejects.toThrow('The body names the same key twice in one object.');
    }),
  );
});

const list = (item: string, count: number) => `[${Array.from({ length: count }, () => item).join(',')}]`;
const keys = (count: number) => `{${Array.from({ length: count }, (_, key) => `"${key}":0`).join(',')}}`;

test.each([
  [
    'values',
    list('0', maxJsonValues - 1),
    list('0', maxJsonValues + 1),
    `has more than ${maxJsonValues} values`,
  ],
  ['keys', keys(maxJsonKeys), keys(maxJsonKeys + 1), `has more than ${maxJsonKeys} keys`],
  [
    'levels',
    '['.repeat(maxJsonDepth) + ']'.repeat(maxJsonDepth),
    '['.repeat(maxJsonDepth + 1),
    `is nested deeper than ${maxJsonDepth} levels`,
  ],
  ['bytes', `"${' '.repeat(7_999_998)}"`, `"${' '.repeat(7_999_999)}"`, 'is larger than 7812 KiB'],
])('bounds the number of %s', async (_what, allowed, refused, problem) => {
  await expect(read(allowed, [65_536])).resolves.toBeDefined();
  await expect(read(refused, [65_536])).rejects.toThrow(`The body ${problem}.`);
});

test('takes an operation on the longest list of devices', async () => {
  const deviceIds = Array.from({ length: maxSelectedDevices }, () => ids.device.of('7'.repeat(22)));
  const steps = Array.from({ length: 100 }, () => ({
    kind: 'DeviceCommand',
    command: 'touch',
    input: { paths: ['/a', '/b'] },
  }));
  const text = JSON.stringify({ name: 'x', selector: { deviceIds, predicates: [] }, stages: [], steps });
  await expect(read(text, [65_536], maxInputBytesOf('fleet_CreateOperation'))).resolves.toBeDefined();
});
