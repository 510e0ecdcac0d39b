import { beforeEach, expect, test } from 'vitest';
import { EventLoopWatch } from './event-loop-watch.ts';

let nowMs: number;
let logged: object[];
let watch: EventLoopWatch;
/** The timer comes this many milliseconds too late. */
function stallFor(stalledMs: number): void {
  nowMs += 250 + stalledMs;
  watch.look();
}
beforeEach(() => {
  nowMs = 5_000;
  logged = [];
  const log = { warn: (fields: object) => void logged.push(fields) };
  watch = new EventLoopWatch({ nowMs: () => nowMs, log });
});

test('a stall above a second is logged with its length, a shorter one is not', () => {
  for (const stalledMs of [0, 1_000, 1_001, 2.4, 9_000.6]) stallFor(stalledMs);
  expect(logged).toEqual([{ durationMs: 1_001 }, { durationMs: 9_001 }]);
  expect(watch.isOutOfRotation).toBe(false);
});

test('after a stall above ten seconds the node is out of rotation for half a minute', () => {
  stallFor(10_000);
  expect(watch.isOutOfRotation).toBe(false);
  stallFor(10_001);
  expect(watch.isOutOfRotation).toBe(true);
  for (let ms = 0; ms < 29_750; ms += 250) stallFor(0);
  expect(watch.isOutOfRotation).toBe(true);
  stallFor(0);
  expect(watch.isOutOfRotation).toBe(false);
});

test('a stall that ends with a request for the readiness counts, before the timer', () => {
  nowMs += 12_000;
  expect(watch.isOutOfRotation).toBe(true);
});
