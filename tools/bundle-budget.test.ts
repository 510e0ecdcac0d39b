import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildConsoleWhenStale } from './build-console.ts';
import { exceeded, recordedSizes, measureBudgets } from './bundle-budget.ts';
import { repositoryRoot } from './source-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corral-bundle-'));
  mkdirSync(join(folder, 'assets'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file that gzip cannot compress. */
function asset(name: string, bytes: number): string {
  writeFileSync(join(folder, 'assets', name), randomBytes(bytes));
  return `assets/${name}`;
}

/** A console with an entry, a shared chunk, the first signed-in screen and an unused page. */
function build(sizes: { entry: number; shared: number; projects: number; other: number }): void {
  const entry = asset('index-AAAAAAAA.js', sizes.entry);
  const shared = asset('shared-B_B-BBBB.js', sizes.shared);
  const projects = asset('projects-CCCCCCCC.js', sizes.projects);
  asset('other-DDDDDDDD.js', sizes.other);
  const page = `<script type="module" src="/${entry}"></script><link rel="modulepreload" href="/${shared}">`;
  writeFileSync(join(folder, 'index.html'), page);
  const screens = { 'sign-in': [], 'signed-in': [`/${projects}`, `/${shared}`] };
  writeFileSync(join(folder, 'screens.json'), JSON.stringify(screens));
}

const parts = (name: string) =>
  Object.keys(measureBudgets(folder).find((each) => each.name === name)?.parts ?? {});

test('the size of a first screen counts the scripts in index.html and its own chunks, each file once', () => {
  build({ entry: 10_000, shared: 5000, projects: 2000, other: 1000 });
  asset('index-EEEEEEEE.css', 300);
  asset('hyperlegible-FFFFFFFF.woff2', 400);
  expect(parts('/login').sort()).toEqual(['index.js', 'shared.js']);
  expect(parts('the first signed-in screen').sort()).toEqual(['index.js', 'projects.js', 'shared.js']);
  expect(parts('all JavaScript').sort()).toEqual(['index.js', 'other.js', 'projects.js', 'shared.js']);
  expect(parts('all CSS')).toEqual(['index.css']);
  expect(measureBudgets(folder).find(({ name }) => name === 'all fonts')).toMatchObject({ bytes: 400 });
  expect(exceeded(measureBudgets(folder), {})).toEqual([]);
});

test('an exceeded budget is reported with the chunk that grew', () => {
  build({ entry: 60_000, shared: 95_000, projects: 2000, other: 1000 });
  const [sentence, ...more] = exceeded(measureBudgets(folder), { 'index.js': 60_000, 'shared.js': 80_000 });
  expect(sentence).toMatch(
    /^\/login has 15\d\.\d kB of 150\.0 kB; grown: shared\.js by 15\.\d kB to 95\.\d kB\.$/,
  );
  expect(more).toEqual([]);
});

test('a new chunk is reported as new', () => {
  build({ entry: 60_000, shared: 95_000, projects: 2000, other: 395_000 });
  const sentences = exceeded(measureBudgets(folder), {
    'index.js': 60_000,
    'shared.js': 80_000,
    'projects.js': 2000,
  });
  expect(sentences).toHaveLength(2);
  expect(sentences[1]).toMatch(/^all JavaScript has 5\d\d\.\d kB of 545\.0 kB; grown: other\.js is new/);
});

test('the built console keeps every budget', { timeout: 120_000 }, async () => {
  await buildConsoleWhenStale();
  const measured = measureBudgets(join(repositoryRoot, 'console/dist'));
  expect(measured.map(({ name, bytes }) => (bytes > 10_000 ? name : `${name} is almost empty`))).toEqual([
    '/login',
    'the first signed-in screen',
    'all JavaScript',
    'all CSS',
    'all fonts',
  ]);
  // index.html itself loads React.
  const [signIn] = measured;
  expect(signIn?.bytes).toBeGreaterThan(60_000);
  expect(exceeded(measured, recordedSizes())).toEqual([]);
});
