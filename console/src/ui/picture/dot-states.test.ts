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
    connected: 142,
    disconnected: 5,
    pending: 1,
    all: 148,
  });
});

it('has one dot for several devices above the limit', () => {
  expect(tally({ total: 240, connected: 183 })).toMatchObject({
    devicesPerDot: 2,
    all: 120,
    disconnected: 29,
  });
});

it('never rounds a problem down to no dot', () => {
  expect(tally({ total: 10_000, connected: 9999, pending: 1 })).toMatchObject({
    disconnected: 1,
    pending: 1,
  });
});

it('is unknown where connections are not known, and empty without devices', () => {
  expect(new Set(dotStates({ total: 5 }, 168).dots)).toEqual(new Set(['unknown']));
  expect(dotStates({ total: 0, connected: 0 }, 168).dots).toEqual([]);
});
