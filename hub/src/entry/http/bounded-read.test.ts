import { expect, test, vi } from 'vitest';
import { boundedRead } from './metrics.ts';

test('reads once for all who ask meanwhile, and again for those who ask later', async () => {
  let reads = 0;
  const read = boundedRead(async () => (reads += 1));
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  expect(await read()).toBe(2);
});

test('answers undefined after a failure', async () => {
  const read = boundedRead(() => Promise.reject(new Error('away')));
  expect(await read()).toBeUndefined();
});

test('answers undefined after two seconds, and does not ask again until the first one has ended', async () => {
  vi.useFakeTimers();
  try {
    let reads = 0;
    const first = Promise.withResolvers<number>();
    const read = boundedRead(() => ((reads += 1), first.promise));
    const late = read();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await late).toBeUndefined();
    const next = read();
    first.resolve(7);
    expect(await next).toBe(7);
    expect(reads).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
