import { expect, test } from 'vitest';
import { StallDetector } from './stall-detector.ts';

test('[CL6] buffered data counts as stalled only while none of it is sent', () => {
  const watch = new StallDetector();
  watch.sent(1_000_000);
  expect(watch.isStalled(900_000, 0, 10_000)).toBe(false);
  expect(watch.isStalled(899_999, 9_000, 10_000)).toBe(false);
  watch.sent(50);
  expect(watch.isStalled(900_049, 18_999, 10_000)).toBe(false);
  expect(watch.isStalled(900_049, 19_000, 10_000)).toBe(true);
  expect(watch.isStalled(0, 19_001, 10_000)).toBe(false);
});
