import { expect, it } from 'vitest';
import { dotsOf, type StateCounts } from './condensed-dots.ts';

const maxDots = 20_000;
const dots = (counts: StateCounts) => {
  const { states } = dotsOf([counts], '', maxDots);
  return [0, 1, 2].map((state) => states.filter((one) => one === state).length);
};

it('unpacks two bits a device, the first one in the lowest bits', () => {
  const packed = btoa(String.fromCharCode(0b10_01_00_01, 0b01));
  expect([...dotsOf([[1, 3, 1]], packed, maxDots).states]).toEqual([1, 0, 1, 2, 1]);
  expect([...dotsOf([], '', maxDots).states]).toEqual([]);
});

it('draws each of 20,000 devices', () => {
  const states = new Uint8Array(20_000).fill(1);
  const packed = btoa(String.fromCharCode(0b01_01_01_01).repeat(5_000));
  expect(dotsOf([[0, 20_000, 0]], packed, maxDots)).toEqual({ states, sizes: [20_000], devicesPerDot: 1 });
});

it('computes dots of several devices from the counts: none for none, at least one for any', () => {
  expect(dots([200_000, 0, 0])).toEqual([20_000, 0, 0]);
  expect(dots([0, 199_999, 1])).toEqual([0, 19_999, 1]);
  expect(dots([1, 100_000, 0])).toEqual([1, 16_666, 0]);
  const { sizes, devicesPerDot } = dotsOf(
    [
      [0, 0, 0],
      [3, 99_997, 0],
    ],
    '',
    maxDots,
  );
  expect([sizes, devicesPerDot]).toEqual([[0, 20_000], 5]);
});

it('has as many dots whatever the states are, so that a change moves none', () => {
  const others: StateCounts = [0, 100_000, 0];
  for (let disconnected = 0; disconnected <= 13; disconnected += 1)
    for (let waiting = 0; waiting <= 13 - disconnected; waiting += 1) {
      const counts: StateCounts = [disconnected, 13 - disconnected - waiting, waiting];
      const { states, sizes } = dotsOf([counts, others], '', maxDots);
      expect(sizes, counts.join()).toEqual([3, 16_667]);
      const shown = [...states.subarray(0, 3)];
      expect(counts.map((count, state) => count === 0 || shown.includes(state))).toEqual([true, true, true]);
    }
});
