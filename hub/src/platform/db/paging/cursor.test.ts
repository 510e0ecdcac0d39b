import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.ts';

const list = 'devices of a project';
const types = ['timestamptz', 'text', 'boolean', 'bigint', 'bytea'] as const;
const position = ['2026-11-20T12:00:00.123456Z', 'Żółw "7"', false, 42, '\\x00ff'];
const refusal = {
  kind: 'Invalid',
  message: 'The field after must be the next of an earlier answer for the same list.',
};

test('a cursor is decoded to the position that was encoded', () => {
  const cursor = encodeCursor(list, position);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(decodeCursor(list, cursor, types)).toEqual(position);
});

test('a cursor of another list is refused', () => {
  const cursor = encodeCursor('devices of another project', position);
  expect(() => decodeCursor(list, cursor, types)).toThrow(expect.objectContaining(refusal));
});

test('a changed, shortened or lengthened cursor is refused', () => {
  const cursor = encodeCursor(list, position);
  fc.assert(
    fc.property(fc.nat(cursor.length - 1), fc.string({ maxLength: 3 }), (at, text) => {
      const changed = cursor.slice(0, at) + text + cursor.slice(at + 1);
      fc.pre(changed !== cursor);
      expect(() => decodeCursor(list, changed, types)).toThrow(expect.objectContaining(refusal));
    }),
  );
});

test('any other text is refused', () => {
  const refuse = (text: string): void =>
    void expect(() => decodeCursor(list, text, types)).toThrow(expect.objectContaining(refusal));
  fc.assert(fc.property(fc.oneof(fc.string(), fc.base64String()), refuse));
});

test.each([
  ['too few keys', ['2026-11-20T12:00:00Z', 'a', true]],
  ['a key of another type', ['2026-11-20T12:00:00Z', 7, true, 1, '\\x']],
  ['a NUL in a text', ['2026-11-20T12:00:00Z', '\0', true, 1, '\\x']],
  ['half a byte', ['2026-11-20T12:00:00Z', 'a', true, 1, '\\xabc']],
  ['a fraction', ['2026-11-20T12:00:00Z', 'a', true, 1.5, '\\x']],
  ['no timestamp', ['yesterday', 'a', true, 1, '\\x']],
  ['a day that does not exist', ['2026-02-31T12:00:00Z', 'a', true, 1, '\\x']],
  ['a year that PostgreSQL does not know', ['0000-01-01T12:00:00Z', 'a', true, 1, '\\x']],
])('a forged position with %s is refused despite a valid checksum', (_what, keys) => {
  expect(() => decodeCursor(list, encodeCursor(list, keys), types)).toThrow(expect.objectContaining(refusal));
});
