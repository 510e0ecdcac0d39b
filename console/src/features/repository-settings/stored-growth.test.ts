import { expect, test } from 'vitest';
import { growthOf } from './stored-growth.ts';

const days = (values: readonly (number | null)[], now: number, max?: number) =>
  growthOf({ values, stepDays: 1, now, max });

test('a steady growth says when the quota is reached', () => {
  const values = Array.from({ length: 31 }, (_, day) => (day < 10 || day === 20 ? null : 100 + 10 * day));
  expect(days(values, 400, 820)).toMatchObject({ bytes: 200, days: 20 });
  expect(days(values, 400, 820)?.fullInDays).toBeCloseTo(42);
  expect(days(values, 400)?.fullInDays, 'no quota').toBeUndefined();
  expect(days(values, 400, 400)?.fullInDays, 'reached').toBeUndefined();
  expect(days(values, 400, 1e6)?.fullInDays, 'in years').toBeUndefined();
});

test('a jump, a decline, and a growth of a few days say nothing of the future', () => {
  const jump = Array.from({ length: 31 }, (_, day) => (day < 25 ? 100 : 900));
  expect(days(jump, 900, 1000)).toMatchObject({ bytes: 800, fullInDays: undefined });
  expect(days(jump.toReversed(), 100, 1000)).toMatchObject({ bytes: -800, fullInDays: undefined });
  const short = Array.from({ length: 31 }, (_, day) => (day < 25 ? null : 10 * day));
  expect(days(short, 300, 400)).toMatchObject({ days: 5, fullInDays: undefined });
  expect(
    days(
      Array.from({ length: 31 }, () => null),
      300,
      400,
    ),
  ).toBeUndefined();
});
