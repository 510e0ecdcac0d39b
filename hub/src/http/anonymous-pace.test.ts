import { expect, test } from 'vitest';
import { AnonymousPace } from './anonymous-pace.ts';

const network = '192.0.2.1';

/** A pace of 100 a second, with a clock that the test advances. */
function paceAt() {
  const clock = { nowMs: 5_000 };
  return { clock, pace: new AnonymousPace(100, () => clock.nowMs) };
}

function delays(pace: AnonymousPace, count: number, of = network): (number | undefined)[] {
  return Array.from({ length: count }, () => pace.nextDelayMs(of));
}

test('three times the rate may come at once, and what is beyond waits for its turn at the rate', () => {
  const { clock, pace } = paceAt();
  expect(new Set(delays(pace, 300))).toEqual(new Set([0]));
  expect(delays(pace, 3)).toEqual([10, 20, 30]);
  clock.nowMs += 500;
  expect(new Set(delays(pace, 47))).toEqual(new Set([0]));
  expect(pace.nextDelayMs(network)).toBe(10);
});

test('what would wait for more than five seconds is refused, and takes the turn of no other', () => {
  const { clock, pace } = paceAt();
  delays(pace, 800);
  expect(delays(pace, 50)).toEqual(Array.from({ length: 50 }, () => undefined));
  clock.nowMs += 10;
  expect(delays(pace, 2)).toEqual([5_000, undefined]);
});

test('a network waits for no other', () => {
  const { pace } = paceAt();
  delays(pace, 500);
  expect(pace.nextDelayMs('192.0.2.2')).toBe(0);
});

test('ten thousand networks are kept at most: those that are quiet go first', () => {
  const { clock, pace } = paceAt();
  delays(pace, 310);
  for (let index = 1; index < 10_000; index += 1) pace.nextDelayMs(`quiet ${index}`);
  clock.nowMs += 50;
  expect(pace.nextDelayMs('one more')).toBe(0);
  expect(pace.size).toBe(2);
  expect(pace.nextDelayMs(network)).toBe(60);
  for (let index = 0; index < 20_000; index += 1) pace.nextDelayMs(`busy ${index}`);
  expect(pace.size).toBe(10_000);
});
