import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AnonymousRefusals } from './audit-limits.ts';

let nowMs: number;
let reported: [string, number][];
let refusals: AnonymousRefusals;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  nowMs = 1_000_000;
  reported = [];
  refusals = new AnonymousRefusals({
    nowMs: () => nowMs,
    report: async (...row) => void reported.push(row),
  });
});
afterEach(() => void vi.useRealTimers());

function advance(ms: number): void {
  nowMs += ms;
  vi.advanceTimersByTime(ms);
}

test('the number of refusals without a row is reported when the minute ends, although no other comes', () => {
  expect([1, 2, 3].map(() => refusals.count('192.0.2.1'))).toEqual([true, false, false]);
  advance(20_000);
  expect([1, 2].map(() => refusals.count('192.0.2.2'))).toEqual([true, false]);
  advance(39_999);
  expect(reported).toEqual([]);
  advance(1);
  expect(reported).toEqual([['192.0.2.1', 2]]);
  advance(20_000);
  expect(reported).toEqual([
    ['192.0.2.1', 2],
    ['192.0.2.2', 1],
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a refusal with a row of its own needs no timer, and any number of networks needs one', () => {
  refusals.count('192.0.2.1');
  expect(vi.getTimerCount()).toBe(0);
  for (let network = 0; network < 1_000; network += 1)
    refusals.count(`198.51.${Math.floor(network / 250)}.${network % 250}`);
  expect(vi.getTimerCount()).toBe(1);
  advance(60_000);
  expect(reported.reduce((sum, [, attempts]) => sum + attempts, 0)).toBe(1_001 - 64);
  expect(vi.getTimerCount()).toBe(0);
});

test('the end reports what is counted, waits until it is written, and leaves no timer', async () => {
  const written = Promise.withResolvers<void>();
  refusals = new AnonymousRefusals({ nowMs: () => nowMs, report: () => written.promise });
  for (let sent = 0; sent < 2; sent += 1) refusals.count('192.0.2.1');
  let isStopped = false;
  const stopped = refusals.stop().then(() => (isStopped = true));
  await Promise.resolve();
  expect([isStopped, vi.getTimerCount()]).toEqual([false, 0]);
  written.resolve();
  await stopped;
});
