import { expect, test } from 'vitest';
import { fitsBeside, layoutDots, widthOfStage } from './stage-dots.ts';

const room = { minWidth: 168, padding: 20, gap: 24 };
const widthOf = (devices: readonly number[], width: number) => {
  const layout = layoutDots(devices, width, room);
  const stages = devices.reduce((sum, count) => sum + widthOfStage(count, layout, room), 0);
  return { perDot: layout.perDot, taken: stages + (devices.length - 1) * room.gap };
};

test.each([
  { name: 'two devices', devices: [1, 1], perDot: 1 },
  { name: 'five devices in as many stages as fit', devices: [1, 1, 1, 1, 1], perDot: 1 },
  { name: 'a hundred devices', devices: [1, 9, 90], perDot: 1 },
  { name: 'a hundred devices in five stages', devices: [5, 15, 20, 30, 30], perDot: 1 },
  { name: 'a hundred thousand devices', devices: [1000, 9000, 90_000], perDot: 200 },
])('a dot is as few devices as leaves $name room', ({ devices, perDot }) => {
  const found = widthOf(devices, 946);
  expect(found.perDot).toBe(perDot);
  expect(found.taken).toBeLessThanOrEqual(946);
});

test('stages are beside each other where each has its least width', () => {
  expect(fitsBeside(5, 5 * 168 + 4 * 24, room)).toBe(true);
  expect(fitsBeside(5, 5 * 168 + 4 * 24 - 1, room)).toBe(false);
});
