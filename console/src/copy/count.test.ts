import { expect, it } from 'vitest';
import { count, countOrMore } from './count.ts';

it('groups the digits of large numbers', () => {
  expect(count(1, 'device', 'devices')).toBe('1 device');
  expect(count(12_345, 'device', 'devices')).toBe('12,345 devices');
  expect(countOrMore(10_000, true)).toBe('10,000+');
  expect(countOrMore(9999, false)).toBe('9,999');
});
