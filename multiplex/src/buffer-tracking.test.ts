import { expect, test } from 'vitest';
import { trackBuffer, release, retain } from './buffer-tracking.ts';

test('a tracked buffer is freed when its last user releases it', () => {
  const bytes = new Uint8Array(65_536);
  const part = bytes.subarray(10, 20);
  trackBuffer(bytes);
  retain(part);
  release(bytes);
  expect(part.length).toBe(10);
  release(part);
  expect([bytes.length, part.length]).toEqual([0, 0]);
  release(part);
});

test('untracked and small buffers are not freed', () => {
  const [untracked, small] = [new Uint8Array(65_536), new Uint8Array(16_383)];
  trackBuffer(small);
  for (const bytes of [untracked, small]) {
    retain(bytes);
    release(bytes);
    release(bytes);
  }
  expect([untracked.length, small.length]).toEqual([65_536, 16_383]);
});
