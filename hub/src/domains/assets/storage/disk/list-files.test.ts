import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileLister } from './list-files.ts';

const perPage = 4;
const paths = Array.from(
  { length: 30 },
  (_, index) => `${'abcde'[index % 5]}/${index % 2}/${index}`,
).toSorted();

let root: string;
let read: string[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'corral-list-'));
  read = [];
  for (const path of paths) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), path);
  }
});
afterEach(() => rmSync(root, { recursive: true }));

const lister = () =>
  fileLister(root, perPage, (path) => {
    read.push(relative(root, path));
    return readdir(path, { withFileTypes: true });
  });

/** All pages from a position on, each by the lister that `of` returns. */
async function pagesOf(of: () => ReturnType<typeof lister>, from = ''): Promise<string[][]> {
  const pages: string[][] = [];
  for (let after: string | undefined = from; after !== undefined; after = pages.at(-1)?.at(-1)) {
    const page = await of()(after);
    pages.push(page.map(({ key }) => key));
  }
  return pages;
}

test('lists all files in order and in pages, and reads each folder once', async () => {
  const list = lister();
  const pages = await pagesOf(() => list);
  expect(pages.flat()).toEqual(paths);
  expect(Math.max(...pages.map((page) => page.length))).toBe(perPage);
  expect(read.length).toBe(new Set(read).size);
});

test('goes on anywhere, also without the page before, and while two list at the same time', async () => {
  expect((await pagesOf(lister)).flat()).toEqual(paths);
  const list = lister();
  const both = await Promise.all([pagesOf(() => list), pagesOf(() => list, paths[9])]);
  expect(both.map((pages) => pages.flat())).toEqual([paths, paths.slice(10)]);
});

test('leaves out what is removed between two pages', async () => {
  const list = lister();
  const first = await list('');
  const removed = paths[perPage] ?? '';
  rmSync(join(root, removed));
  const second = await list(first.at(-1)?.key ?? '');
  expect(second.map(({ key }) => key)).toEqual(paths.slice(perPage + 1, 2 * perPage + 1));
});
