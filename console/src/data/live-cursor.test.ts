import { expect, test } from 'vitest';
import { createLiveCursor, hasReached } from './live-cursor.ts';

test('before the first message it is where the changes stood before the earliest read, in whatever order the answers come', () => {
  const cursor = createLiveCursor();
  expect(cursor.current()).toBeUndefined();
  for (const read of ['a1-10', 'a1-9', 'a1-12']) cursor.noteRead(read);
  expect(cursor.current()).toBe('a1-9');
  cursor.moveTo('a1-15');
  cursor.noteRead('a1-3');
  expect(cursor.current()).toBe('a1-15');
});

test('after reads from several processes of the hub nothing is known, until the first message', () => {
  const cursor = createLiveCursor();
  for (const read of ['a1-10', 'b2-11', 'a1-12']) cursor.noteRead(read);
  expect(cursor.current()).toBeUndefined();
  cursor.moveTo('b2-20');
  expect(cursor.current()).toBe('b2-20');
});

test('cursors are compared by number within one process', () => {
  expect(hasReached('a1-10', 'a1-9')).toBe(true);
  expect(hasReached('a1-9', 'a1-9')).toBe(true);
  expect(hasReached('a1-9', 'a1-10')).toBe(false);
  expect(hasReached('b2-10', 'a1-9')).toBe(false);
});
