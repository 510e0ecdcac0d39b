import { expect, it } from 'vitest';
import { connectionShares } from './connection-shares.ts';

it('computes the share of each bar and finds the gaps', () => {
  const { bars, share, gaps } = connectionShares([{ fromMs: -50, toMs: 25 }, { fromMs: 50 }], 0, 100, 4);
  expect(bars).toEqual([1, 0, 1, 1]);
  expect(share).toBe(0.75);
  expect(gaps).toEqual([{ fromMs: 25, toMs: 50 }]);
});

it('counts overlapping connections once', () => {
  const { share, gaps } = connectionShares(
    [
      { fromMs: 0, toMs: 60 },
      { fromMs: 10, toMs: 30 },
      { fromMs: 60, toMs: 100 },
    ],
    0,
    100,
    2,
  );
  expect(share).toBe(1);
  expect(gaps).toEqual([]);
});

it('returns one gap without any connection', () => {
  expect(connectionShares([], 0, 100, 2)).toEqual({
    bars: [0, 0],
    share: 0,
    gaps: [{ fromMs: 0, toMs: 100 }],
  });
});
