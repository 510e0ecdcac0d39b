import { expect, test } from 'vitest';
import { refusalSchedules, RequestSchedule } from './request-schedule.ts';

const network = '192.0.2.1';

/** A schedule of 100 a second and 300 at once, with a clock that the test advances. */
function atHundred() {
  const clock = { nowMs: 5_000 };
  return { clock, schedule: new RequestSchedule({ perSecond: 100, burst: 300 }, () => clock.nowMs) };
}

function delays(schedule: RequestSchedule, count: number, of = network): (number | undefined)[] {
  return Array.from({ length: count }, () => schedule.schedule(of));
}

test('so many may come at once, and what is beyond waits for its turn at the rate', () => {
  const { clock, schedule } = atHundred();
  expect(new Set(delays(schedule, 300))).toEqual(new Set([0]));
  expect(delays(schedule, 3)).toEqual([10, 20, 30]);
  clock.nowMs += 500;
  expect(new Set(delays(schedule, 47))).toEqual(new Set([0]));
  expect(schedule.schedule(network)).toBe(10);
});

test('a request that would wait for more than five seconds is refused, and does not delay later ones', () => {
  const { clock, schedule } = atHundred();
  delays(schedule, 800);
  expect(delays(schedule, 50)).toEqual(Array.from({ length: 50 }, () => undefined));
  clock.nowMs += 10;
  expect(delays(schedule, 2)).toEqual([5_000, undefined]);
});

test('isBehind tells whether the next request would wait, without scheduling one', () => {
  const { clock, schedule } = atHundred();
  expect(schedule.isBehind(network)).toBe(false);
  delays(schedule, 299);
  expect(schedule.isBehind(network)).toBe(false);
  delays(schedule, 1);
  expect([schedule.isBehind(network), schedule.isBehind(network)]).toEqual([true, true]);
  clock.nowMs += 10;
  expect(schedule.isBehind(network)).toBe(false);
  expect(schedule.schedule(network)).toBe(0);
});

test('requests that were charged when they had run take their turns from later ones, five minutes at most', () => {
  const { clock, schedule } = atHundred();
  for (let count = 0; count < 1_299; count += 1) schedule.charge(network);
  clock.nowMs += 4_990;
  expect(schedule.schedule(network)).toBeUndefined();
  clock.nowMs += 10;
  expect(schedule.schedule(network)).toBe(5_000);
  for (let count = 0; count < 100_000; count += 1) schedule.charge(network);
  clock.nowMs += 300_000;
  expect(schedule.schedule(network)).toBe(10);
});

test('a network waits for no other', () => {
  const { schedule } = atHundred();
  delays(schedule, 500);
  expect(schedule.schedule('192.0.2.2')).toBe(0);
});

test('callers whose calls are refused: 20 a second of a user and 60 at once, of a device 2 and 10', () => {
  const clock = { nowMs: 0 };
  const { users, devices } = refusalSchedules(() => clock.nowMs);
  for (const [schedule, intervalMs, atOnce] of [
    [users, 50, 60],
    [devices, 500, 10],
  ] as const) {
    expect(new Set(delays(schedule, atOnce))).toEqual(new Set([0]));
    expect(delays(schedule, 2)).toEqual([intervalMs, 2 * intervalMs]);
  }
});

test('ten thousand networks are kept at most: those that are quiet go first', () => {
  const { clock, schedule } = atHundred();
  delays(schedule, 310);
  for (let index = 1; index < 10_000; index += 1) schedule.schedule(`quiet ${index}`);
  clock.nowMs += 50;
  expect(schedule.schedule('one more')).toBe(0);
  expect(schedule.size).toBe(2);
  expect(schedule.schedule(network)).toBe(60);
  for (let index = 0; index < 20_000; index += 1) schedule.schedule(`busy ${index}`);
  expect(schedule.size).toBe(10_000);
});
