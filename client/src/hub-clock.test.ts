import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHubClock } from './hub-clock.ts';

const hubMs = Date.UTC(2026, 10, 20, 12);
const dayMs = 86_400_000;
const date = (atMs = hubMs) => new Date(atMs).toUTCString();
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([-100, -3 / 24, 0.001, 3, 4000])(
  'a clock of this machine that is %d days off is corrected by the first answer',
  (days) => {
    const changes: number[] = [];
    const clock = createHubClock((offsetMs) => changes.push(offsetMs));
    vi.setSystemTime(hubMs + days * dayMs);
    expect(clock.at()).toBe(hubMs + days * dayMs);
    clock.note(date(), Date.now());
    expect(Math.abs(clock.at() - hubMs)).toBeLessThanOrEqual(500);
    expect(changes).toHaveLength(1);
    vi.advanceTimersByTime(5_000);
    clock.note(date(hubMs + 5_000), Date.now());
    expect(changes).toHaveLength(1);
  },
);

test('a right clock stays as it is, however long an answer takes; without a date nothing is learnt', () => {
  const clock = createHubClock(() => expect.unreachable());
  vi.setSystemTime(hubMs + 999);
  clock.note(date(), hubMs);
  clock.note(date(), hubMs - 60_000);
  for (const nothing of [null, undefined, 'yesterday']) clock.note(nothing, hubMs);
  expect(clock.at()).toBe(hubMs + 999);
});

test('a clock that is set right while the page is open is believed again', () => {
  const clock = createHubClock();
  vi.setSystemTime(hubMs + dayMs);
  clock.note(date(), Date.now());
  vi.setSystemTime(hubMs);
  clock.note(date(), Date.now());
  expect(clock.at()).toBe(hubMs);
});
