import { expect, test } from 'vitest';
import { lend, letGo, share } from './lent-memory.ts';

test('memory is freed with its last user', () => {
  const bytes = new Uint8Array(65_536);
  const part = bytes.subarray(10, 20);
  lend(bytes);
  share(part);
  letGo(bytes);
  expect(part.length).toBe(10);
  letGo(part);
  expect([bytes.length, part.length]).toEqual([0, 0]);
  letGo(part);
});

test('what was never lent, and what is small, stays', () => {
  const [own, small] = [new Uint8Array(65_536), new Uint8Array(16_383)];
  lend(small);
  for (const bytes of [own, small]) {
    share(bytes);
    letGo(bytes);
    letGo(bytes);
  }
  expect([own.length, small.length]).toEqual([65_536, 16_383]);
});
