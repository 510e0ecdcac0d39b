import type { Json } from '@corral/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bounded, maxAuditedDataBytes, maxAuditedTextBytes } from './audit.ts';

const anyText = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 600 }),
  fc.constantFrom('x'.repeat(10_000), '😀'.repeat(200), '\u0001'.repeat(300), '"'.repeat(5_000)),
);
const { tree: anyJson } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    anyText,
    fc.double({ noNaN: true }),
    fc.array(tie('tree'), { maxLength: 10 }),
    fc.dictionary(fc.string({ maxLength: 20 }), tie('tree'), { maxKeys: 5 }),
  ),
}));
const anyData = fc.dictionary(fc.string({ maxLength: 20 }), anyJson, { maxKeys: 10 });

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

test('recorded data stays within the bounds of each text and of the whole', () => {
  fc.assert(
    fc.property(anyData, (data) => {
      const kept = bounded(data);
      expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(maxAuditedDataBytes);
      for (const text of textsIn(kept)) {
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxAuditedTextBytes);
        expect(text.isWellFormed()).toBe(true);
      }
    }),
    { endOnFailure: true },
  );
});

test('data within the bounds is not changed', () => {
  const data = { name: 'x'.repeat(256), tags: [{ tag: 'v1', locked: false }], size: 1e21, none: null };
  expect(bounded(data)).toEqual(data);
});

test('a text is cut between characters, and the cut is marked', () => {
  expect(bounded({ name: 'x'.repeat(257) })).toEqual({ name: `${'x'.repeat(253)}…` });
  expect(bounded({ name: '😀'.repeat(65) })).toEqual({ name: `${'😀'.repeat(63)}…` });
});

test('omissions in lists and objects are marked', () => {
  const { tags } = bounded({ tags: Array.from({ length: 1_000 }, () => ({ tag: 'v1' })) });
  expect((tags as Json[]).at(-1)).toBe('…');
  const fields = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`f${index}`, 'x'.repeat(100)]),
  );
  expect(Object.entries(bounded(fields)).at(-1)).toEqual(['…', '…']);
});
