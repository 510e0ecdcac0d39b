import { expect, it } from 'vitest';
import { centreOf, dotAt, layoutField, moved } from './field-layout.ts';

const group = (size: number) => ({ size, minWidth: 48 });
const sizes = (layout: ReturnType<typeof layoutField>) => layout.groups.map(({ size }) => size);

it('places 1,204 devices of nine sites in one line of 16 rows', () => {
  const { pitch, groups, height } = layoutField(
    [212, 186, 174, 158, 131, 118, 96, 74, 55].map(group),
    946,
    40,
  );
  expect(pitch).toBe(11);
  expect(new Set(groups.map(({ y }) => y))).toEqual(new Set([40]));
  expect(height).toBe(40 + 16 * 11);
});

it.each([0, 1, 2, 1999, 2000, 2001, 20_000])(
  'finds each of %i dots where it is drawn, in any width',
  (total) => {
    for (const width of [280, 326, 946, 1400]) {
      const parts = [Math.ceil(total / 2), Math.floor(total / 3)];
      const layout = layoutField([...parts, total - parts[0]! - parts[1]!].map(group), width, 40);
      expect(sizes(layout).reduce((sum, size) => sum + size, 0)).toBe(total);
      for (const [index, placed] of layout.groups.entries())
        for (const dot of [0, 1, placed.rows, placed.size - 1].filter(
          (one) => one >= 0 && one < placed.size,
        )) {
          const [x, y] = centreOf(placed, dot, layout.pitch);
          expect(x).toBeLessThanOrEqual(width);
          expect(y).toBeLessThanOrEqual(layout.height);
          expect(dotAt(layout, x, y)).toEqual({ group: index, dot });
        }
    }
  },
);

it('fills a line with few devices, at least five in a column', () => {
  expect(layoutField([group(30), group(20)], 946, 40).groups.map(({ rows }) => rows)).toEqual([5, 5]);
  expect(layoutField([group(600)], 946, 40).groups.map(({ rows }) => rows)).toEqual([8]);
});

it('moves no dot when a fleet grows a little', () => {
  const rowsOf = (size: number) => layoutField([group(size)], 946, 40).groups[0]?.rows;
  const changes = Array.from({ length: 1300 }, (_, size) => rowsOf(size) !== rowsOf(size + 1));
  expect(changes.filter(Boolean)).toHaveLength(3);
});

it('spreads few groups over the width, without tearing them apart', () => {
  const xs = (groups: number) =>
    layoutField(
      Array.from({ length: groups }, () => group(20)),
      946,
      40,
    ).groups.map(({ x }) => x);
  expect(xs(2)).toEqual([0, 48 + 56]);
  expect(xs(10).at(-1)).toBeLessThanOrEqual(946 - 48);
  expect(xs(10).at(-1)).toBeGreaterThan(946 - 48 - 10);
});

it('keeps the height of large fields', () => {
  for (const total of [5000, 20_000])
    expect(layoutField([group(total)], 946, 40).height).toBeLessThanOrEqual(480);
  expect(
    layoutField(
      Array.from({ length: 41 }, () => group(480)),
      946,
      40,
    ).height,
  ).toBeLessThan(1000);
});

it('moves by arrows through columns, groups and their heads, and never leaves the field', () => {
  const layout = {
    pitch: 11,
    height: 216,
    groups: [
      { x: 0, y: 40, width: 48, rows: 16, first: 0, size: 20 },
      { x: 57, y: 40, width: 48, rows: 16, first: 20, size: 3 },
    ],
  };
  const go = (at: { group: number; dot: number }, ...keys: string[]) =>
    keys.reduce((from, key) => moved(layout, from, key, 'ArrowRight') ?? from, at);
  const start = { group: 0, dot: -1 };
  expect(go(start, 'ArrowDown')).toEqual({ group: 0, dot: 0 });
  expect(go(start, 'ArrowDown', 'ArrowDown', 'ArrowRight')).toEqual({ group: 0, dot: 17 });
  expect(go(start, 'ArrowDown', 'ArrowRight', 'ArrowRight')).toEqual({ group: 1, dot: 0 });
  expect(go({ group: 1, dot: 2 }, 'ArrowDown', 'ArrowRight')).toEqual({ group: 1, dot: 2 });
  expect(go({ group: 1, dot: 2 }, 'ArrowLeft')).toEqual({ group: 0, dot: 18 });
  expect(go({ group: 0, dot: 16 }, 'ArrowUp')).toEqual({ group: 0, dot: -1 });
  expect(go(start, 'ArrowRight')).toEqual({ group: 1, dot: -1 });
  expect(go(start, 'PageUp', 'End', 'PageDown')).toEqual({ group: 1, dot: -1 });
  expect(moved(layout, start, 'a', 'ArrowRight')).toBeUndefined();
});
