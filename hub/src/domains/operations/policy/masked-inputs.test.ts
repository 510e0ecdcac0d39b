import { expect, test } from 'vitest';
import type { Step } from '../sql/operations.ts';
import { maskedSteps, secretPlaces } from './masked-inputs.ts';

const secret = { writeOnly: true };
const shown = (schema: object, input: unknown) => {
  const steps = [{ kind: 'DeviceCommand', command: 'go', input }] as Step[];
  const places = secretPlaces(steps, { commands: [{ name: 'go', input: schema as never }] });
  const [step] = maskedSteps(steps, places);
  return step?.kind === 'DeviceCommand' ? step.input : undefined;
};

test.each([
  [
    'a reference',
    { $defs: { key: secret }, properties: { a: { $ref: '#/$defs/key' } } },
    { a: 1, b: 2 },
    { a: '***', b: 2 },
  ],
  ['a part of all', { allOf: [{ properties: { a: secret } }] }, { a: 1, b: 2 }, { a: '***', b: 2 }],
  ['one of several', { oneOf: [{ properties: { a: secret } }, {}] }, { a: 1, b: 2 }, { a: '***', b: 2 }],
  [
    'other fields',
    { properties: { a: {} }, additionalProperties: secret },
    { a: 1, b: 2 },
    { a: 1, b: '***' },
  ],
  ['fields by pattern', { patternProperties: { '^b': secret } }, { b: 2 }, { b: '***' }],
  ['items', { items: { properties: { a: secret } } }, [{ a: 1 }, { b: 2 }], [{ a: '***' }, { b: 2 }]],
  ['a place in a list', { prefixItems: [{}, secret] }, [1, 2, 3], [1, '***', 3]],
  ['the whole input', secret, { a: 1 }, '***'],
  ['a reference to itself', { $ref: '#' }, { a: 1 }, '***'],
  ['more than it keeps', { items: secret }, Array(2000).fill(1), '***'],
])('secrets of %s are masked', (_what, schema, input, wanted) => {
  expect(shown(schema, input)).toEqual(wanted);
});
