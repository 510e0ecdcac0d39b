import { expect, test } from 'vitest';
import { configReference } from './describe.ts';

test('no text of a table becomes emphasis or HTML in Markdown', () => {
  const cells = configReference()
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.replaceAll(/`[^`]*`/g, ''));
  expect(cells.length).toBeGreaterThan(50);
  expect(cells.filter((cell) => /(?<!\\)[*<>]/.test(cell))).toEqual([]);
});
