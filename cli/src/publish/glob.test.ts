import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFiles, matches } from './glob.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corral-glob-'));
  for (const path of [
    'a.img',
    'b.img',
    'c.txt',
    '.hidden.img',
    'out/a.img',
    'out/deep/x.js',
    'out/deep/er/y.js',
    'names/e\u0301-1.dat',
  ]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path);
  }
  await symlink(folder, join(folder, 'out/circle'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['a.img', ['a.img']],
  ['./out/a.img', ['a.img']],
  ['*.img', ['a.img', 'b.img']],
  ['.*.img', ['.hidden.img']],
  ['?.???', ['a.img', 'b.img', 'c.txt']],
  ['*/*.img', ['out/a.img']],
  ['out/**', ['a.img', 'deep/er/y.js', 'deep/x.js']],
  ['out/**/*.js', ['deep/er/y.js', 'deep/x.js']],
  ['**/x.js', ['out/deep/x.js']],
  ['out', []],
  ['names/\u00e9-*.dat', ['e\u0301-1.dat']],
  ['nothing/*.img', []],
  ['*.iso', []],
])('%s matches %j', async (pattern, names) => {
  expect((await findFiles(folder, pattern)).map(({ name }) => name)).toEqual(names);
});

test('an absolute pattern is not relative to the folder', async () => {
  const found = await findFiles('/', join(folder, 'out/*.img'));
  expect(found).toEqual([{ path: join(folder, 'out/a.img'), name: 'a.img' }]);
});

test('a pattern with many asterisks is matched quickly', () => {
  const name = 'a'.repeat(2_000);
  const startedAtMs = performance.now();
  expect(matches(name, `${'*a'.repeat(200)}b`)).toBe(false);
  expect(matches(name, '*a*')).toBe(true);
  expect(performance.now() - startedAtMs).toBeLessThan(2_000);
});
