import { expect, test } from 'vitest';
import { backoffMs, retryAfterMs } from './backoff.ts';

/** The waits after a number of failures, for evenly spread random values. */
function spread(failures: number, count = 1_000): number[] {
  return Array.from({ length: count }, (_, index) => backoffMs(failures, undefined, () => index / count));
}

test.each([
  [0, 1_000],
  [1, 2_000],
  [4, 16_000],
  [5, 30_000],
  [6, 30_000],
  [1_000_000, 30_000],
])('after %i failures the wait is spread evenly below %i ms', (failures, ceilingMs) => {
  const waits = spread(failures);
  expect(Math.min(...waits)).toBe(250);
  expect(Math.max(...waits)).toBeLessThan(ceilingMs);
  // Each tenth of the range contains a tenth of the waits: also at the cap the waits are spread evenly.
  const widthMs = (ceilingMs - 250) / 10;
  const tenths = Array.from(
    { length: 10 },
    (_, tenth) => waits.filter((wait) => Math.floor((wait - 250) / widthMs + 1e-9) === tenth).length,
  );
  expect(tenths).toEqual(Array.from({ length: 10 }, () => 100));
});

test('a Retry-After is waited for with little jitter, however often the hub sends it', () => {
  for (const failures of [0, 3, 1_000]) {
    expect(backoffMs(failures, 2_000, () => 0)).toBe(2_000);
    expect(backoffMs(failures, 2_000, () => 0.5)).toBe(2_500);
    expect(backoffMs(failures, 60_000, () => 0.5)).toBe(63_000);
    expect(backoffMs(failures, 1e15, () => 0)).toBe(3_600_000);
  }
});

test('a Retry-After of 0 counts as none', () => {
  expect(backoffMs(6, 0, () => 0.5)).toBe(backoffMs(6, undefined, () => 0.5));
});

test('Retry-After is read as seconds, or as a date by the clock of the hub, whatever that of this machine says', () => {
  const waitOf = (header: string | undefined) =>
    retryAfterMs({ 'retry-after': header, date: 'Fri, 20 Nov 2026 12:00:00 GMT' });
  expect(waitOf('7')).toBe(7_000);
  expect(waitOf('Fri, 20 Nov 2026 12:00:30 GMT')).toBe(30_000);
  expect(waitOf('Fri, 20 Nov 2026 11:00:00 GMT')).toBe(0);
  for (const header of [undefined, 'soon', '-5x', '']) expect(waitOf(header)).toBeUndefined();
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  expect(retryAfterMs({ 'retry-after': inAnHour })).toBeGreaterThan(3_590_000);
});
