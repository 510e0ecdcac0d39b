import { expect, it } from 'vitest';
import { dotStates } from './dot-states.ts';

function tally(counts: Parameters<typeof dotStates>[0], maxDots = 168) {
  const { dots, devicesPerDot } = dotStates(counts, maxDots);
  const count = (kind: string) => dots.filter((dot) => dot === kind).length;
  return {
    devicesPerDot,
    connected: count('connected'),
    disconnected: count('disconnected'),
    pending: count('pending'),
    all: dots.length,
  };
}

it('has one dot per device', () => {
  expect(tally({ total: 148, connected: 143, pending: 1 })).toEqual({
    devicesPerDot: 1,
    connected: 143,
    disconnected: 4,
    pending: 1,
    all: 148,
  });
});

it('has one dot for several devices above the limit', () => {
  expect(tally({ total: 240, connected: 183 })).toMatchObject({
    devicesPerDot: 2,
    all: 120,
    connected: 92,
    disconnected: 28,
  });
});

it('never rounds a problem down to no dot', () => {
  expect(tally({ total: 10_000, connected: 9998, pending: 1 })).toMatchObject({
    disconnected: 1,
    pending: 1,
  });
});

it('shows no device as connected when none is, and none as disconnected when all are', () => {
  for (let total = 1; total <= 2_500; total += 8)
    for (const maxDots of [7, 84, 168]) {
      expect(tally({ total, connected: 0 }, maxDots), `${total}`).toMatchObject({ connected: 0 });
      expect(tally({ total, connected: 0, pending: 1 }, maxDots)).toMatchObject({ connected: 0, pending: 1 });
      expect(tally({ total, connected: total }, maxDots)).toMatchObject({ disconnected: 0 });
      expect(tally({ total, connected: total, pending: 1 }, maxDots)).toMatchObject({ disconnected: 0 });
    }
});

it('shows one connected and one disconnected device among many', () => {
  for (const total of [2, 169, 1_201, 10_000]) {
    expect(tally({ total, connected: 1 }).connected).toBe(1);
    expect(tally({ total, connected: total - 1 }).disconnected).toBe(1);
  }
});

it('is unknown where connections are not known, and empty without devices', () => {
  expect(new Set(dotStates({ total: 5 }, 168).dots)).toEqual(new Set(['unknown']));
  expect(dotStates({ total: 0, connected: 0 }, 168).dots).toEqual([]);
});
