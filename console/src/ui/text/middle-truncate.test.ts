import { expect, it } from 'vitest';
import { middleTruncate } from './middle-truncate.ts';

it('keeps short text and cuts the middle of long text', () => {
  expect(middleTruncate('hub-1', 14)).toBe('hub-1');
  expect(middleTruncate('abcdefghij', 5)).toBe('…ghij');
  expect(middleTruncate('abcdefghij', 7)).toBe('abc…hij');
  for (let max = 3; max < 20; max += 1)
    expect(middleTruncate('abcdefghijklmnop', max).length).toBeLessThanOrEqual(max);
});
