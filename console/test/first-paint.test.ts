import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const consoleFolder = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(consoleFolder, path), 'utf8');
const colours = (css: string): readonly string[] =>
  css.match(/light-dark\([^)]*\)|#[0-9a-f]{6}\b(?![^(]*\))/g) ?? [];

test('the outline before the first paint has only colours of the console', () => {
  const known = colours(read('src/ui/style/tokens.css'));
  const used = colours(read('public/first-paint.css'));
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((colour) => !known.includes(colour))).toEqual([]);
});
