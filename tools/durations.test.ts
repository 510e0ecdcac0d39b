import { expect, test } from 'vitest';
import { durationLines, secondsByFile } from './durations.ts';

test('each part is reported with its seconds and its ten slowest files, slowest first', () => {
  const fileSeconds = secondsByFile(
    Array.from({ length: 12 }, (_, index): [string, number] => [`${index}.test.ts`, index]),
  );
  const lines = durationLines([{ part: 'unit', seconds: 61.4, fileSeconds }]);
  expect(lines).toHaveLength(11);
  expect(lines[0]).toBe('unit: 61 s; its slowest files:');
  expect(lines[1]).toBe('   11.0 s  11.test.ts');
  expect(lines[10]).toBe('    2.0 s  2.test.ts');
});

test('the seconds of a file that ran in several pieces are added', () => {
  const seconds = secondsByFile([
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ]);
  expect(Object.fromEntries(seconds)).toEqual({ a: 4, b: 2 });
});
