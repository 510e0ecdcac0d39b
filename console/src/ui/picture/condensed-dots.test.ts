import { expect, it } from 'vitest';
import { dotsOf, type StateCounts, unpackStates } from './condensed-dots.ts';

const dots = (counts: StateCounts) => {
  const { states } = dotsOf([counts], new Uint8Array());
  return [0, 1, 2].map((state) => states.filter((one) => one === state).length);
};

it('unpacks two bits a device, the first one in the lowest bits', () => {
  expect([...unpackStates(btoa(String.fromCharCode(0b10_01_00_01, 0b01)), 5)]).toEqual([1, 0, 1, 2, 1]);
  expect([...unpackStates('', 0)]).toEqual([]);
});

it('draws each of 20,000 devices', () => {
  const states = new Uint8Array(20_000).fill(1);
  expect(dotsOf([[0, 20_000, 0]], states)).toEqual({ states, sizes: [20_000], devicesPerDot: 1 });
});

it('computes dots of several devices from the counts: none for none, at least one for any', () => {
  expect(dots([200_000, 0, 0])).toEqual([20_000, 0, 0]);
  expect(dots([0, 199_999, 1])).toEqual([0, 20_000, 1]);
  expect(dots([1, 100_000, 0])).toEqual([1, 16_667, 0]);
  const { sizes, devicesPerDot } = dotsOf(
    [
      [0, 0, 0],
      [3, 99_997, 0],
    ],
    new Uint8Array(),
  );
  expect([sizes, devicesPerDot]).toEqual([[0, 20_001], 5]);
});
