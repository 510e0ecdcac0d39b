import { expect, it } from 'vitest';
import { sortKey } from './sort-key.ts';

it('orders numbers in text by value, ignoring case and accents', () => {
  const names = ['crane-10', 'Crane-9', 'émile', 'Emil', 'zeta', 'crane-100'];
  const keyed = names.map((name) => [sortKey(name) as string, name] as const);
  keyed.sort(([one], [other]) => (one < other ? -1 : 1));
  expect(keyed.map(([, name]) => name)).toEqual([
    'Crane-9',
    'crane-10',
    'crane-100',
    'Emil',
    'émile',
    'zeta',
  ]);
});

it('maps times, numbers and booleans to numbers, and null to undefined', () => {
  expect(sortKey(new Date(5))).toBe(5);
  expect(sortKey(true)).toBe(1);
  expect(sortKey(-3)).toBe(-3);
  expect(sortKey(null)).toBeUndefined();
});
