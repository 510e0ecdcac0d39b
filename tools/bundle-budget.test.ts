import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** A console with an entry, a shared chunk, the first signed-in screen, what pages share, another page, the palette and a document. */
function build(sizes: {
  entry: number;
  shared: number;
  projects: number;
  other: number;
  palette?: number;
}): void {
  const entry = asset('index-AAAAAAAA.js', sizes.entry);
  const shared = asset('shared-B_B-BBBB.js', sizes.shared);
  const projects = asset('projects-CCCCCCCC.js', sizes.projects);
  const other = asset('other-DDDDDDDD.js', sizes.other);
  const pages = asset('pages-GGGGGGGG.js', 700);
  const palette = asset('CommandPalette-HHHHHHHH.js', sizes.palette ?? 600);
  const guide = asset('agent-IIIIIIII.js', 500);
  mkdirSync(join(folder, '.vite'));
  const manifest = {
    '../docs/agent.md?raw': { file: guide },
    _shared: { file: shared },
    _pages: { file: pages, name: 'pages', imports: ['_shared'] },
    'src/routes/projects.tsx?tsr-split=component': { file: projects, imports: ['_shared'] },
    'src/routes/other.tsx?tsr-split=component': { file: other, imports: ['_pages', '_shared'] },
    'src/shell/palette/CommandPalette.tsx': { file: palette, imports: ['_pages'] },
  };
  writeFileSync(join(folder, '.vite/manifest.json'), JSON.stringify(manifest));
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
  const code = ['CommandPalette.js', 'index.js', 'other.js', 'pages.js', 'projects.js', 'shared.js'];
  expect(parts('all JavaScript without documents').sort()).toEqual(code);
  expect(parts('all documents')).toEqual(['agent.js']);
  expect(parts('all CSS')).toEqual(['index.css']);
  expect(measureBudgets(folder).find(({ name }) => name === 'all fonts')).toMatchObject({ bytes: 400 });
  expect(exceeded(measureBudgets(folder), {})).toEqual([]);
});

test('an exceeded budget is reported with the chunk that grew', () => {
  build({ entry: 60_000, shared: 95_000, projects: 2000, other: 1000 });
  const [sentence, ...more] = exceeded(measureBudgets(folder), { 'index.js': 60_000, 'shared.js': 80_000 });
  expect(sentence).toMatch(
    /^\/login has 15\d\.\d kB of 152\.0 kB; grown: shared\.js by 15\.\d kB to 95\.\d kB\.$/,
  );
  expect(more).toEqual([]);
});

test('a route and the palette count what they load beside the first screen and what pages share', () => {
  build({ entry: 10_000, shared: 5000, projects: 40_000, other: 31_000, palette: 16_000 });
  expect(parts('the largest route')).toEqual(['other.js']);
  expect(parts('the palette')).toEqual(['CommandPalette.js']);
  const sentences = exceeded(measureBudgets(folder), {});
  expect(sentences).toHaveLength(2);
  expect(sentences[0]).toMatch(/^the largest route has 31\.\d kB of 30\.0 kB; grown: other\.js is new/);
  expect(sentences[1]).toMatch(/^the palette has 16\.\d kB of 15\.0 kB; grown: CommandPalette\.js is new/);
});

test('a new chunk is reported as new', () => {
  build({ entry: 60_000, shared: 95_000, projects: 2000, other: 615_000 });
  const sentences = exceeded(measureBudgets(folder), {
    'index.js': 60_000,
    'shared.js': 80_000,
    'projects.js': 2000,
  });
  expect(sentences).toHaveLength(3);
  expect(sentences[2]).toMatch(
    /^all JavaScript without documents has 77\d\.\d kB of 765\.0 kB; grown: other\.js is new/,
  );
});

test('the built console keeps every budget', { timeout: 120_000 }, async () => {
  await buildConsoleWhenStale();
  const measured = measureBudgets(join(repositoryRoot, 'console/dist'));
  expect(measured.map(({ name, bytes }) => (bytes > 10_000 ? name : `${name} is almost empty`))).toEqual([
    '/login',
    'the first signed-in screen',
    'the largest route',
    'the palette is almost empty',
    'all JavaScript without documents',
    'all documents',
    'all CSS',
    'all fonts',
  ]);
  // index.html itself loads React.
  const [signIn] = measured;
  expect(signIn?.bytes).toBeGreaterThan(60_000);
  expect(exceeded(measured, recordedSizes())).toEqual([]);
});

test(
  'the built console leaves out what libraries tell their developer tools',
  { timeout: 120_000 },
  async () => {
    await buildConsoleWhenStale();
    const assets = join(repositoryRoot, 'console/dist/assets');
    const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'));
    const told = scripts.filter((file) =>
      readFileSync(join(assets, file), 'utf8').includes('tanstack-connect'),
    );
    expect(scripts.some((file) => file.startsWith('sign-in-'))).toBe(true);
    expect(told).toEqual([]);
  },
);
