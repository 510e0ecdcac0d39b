import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildConsoleWhenStale } from './build-console.ts';
import { isTestFile, repositoryRoot } from './source-files.ts';

const dist = join(repositoryRoot, 'console/dist');
// The runtime of the bundler has no source.
const scripts = () =>
  readdirSync(join(dist, 'assets')).filter(
    (file) => file.endsWith('.js') && !file.startsWith('rolldown-runtime'),
  );

beforeAll(buildConsoleWhenStale, 120_000);

test('licences.txt has the licences of all libraries, style sheets and fonts of the console', () => {
  const text = readFileSync(join(dist, 'licences.txt'), 'utf8');
  const own = JSON.parse(readFileSync(join(repositoryRoot, 'console/package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const libraries = Object.keys(own.dependencies).filter((name) => !name.startsWith('@corral/'));
  for (const name of [...libraries, 'tailwindcss', 'scheduler'])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
  expect(text).toContain('SIL OPEN FONT LICENSE');
  expect(text).toContain('Copyright (c) Meta Platforms');
});

test('each script has a source map, which no script names and which lies where the hub serves nothing', () => {
  expect(scripts().length).toBeGreaterThan(20);
  for (const script of scripts()) {
    expect(existsSync(join(dist, `.source-maps/${script}.map`)), script).toBe(true);
    expect(readFileSync(join(dist, 'assets', script), 'utf8')).not.toContain('sourceMappingURL');
  }
  const served = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !path.startsWith('.'),
  );
  expect(served.filter((path) => path.endsWith('.map'))).toEqual([]);
});

test('the devtools of `npm run dev` are not in the build', () => {
  const licences = readFileSync(join(dist, 'licences.txt'), 'utf8');
  expect(licences).not.toMatch(/(?:query|router)-devtools/);
  expect(scripts().filter((script) => script.startsWith('devtools'))).toEqual([]);
});

/** The names of all classes that the style sheets style. */
function styledClasses(): Set<string> {
  const sheets = readdirSync(join(dist, 'assets')).filter((file) => file.endsWith('.css'));
  const css = sheets.map((file) => readFileSync(join(dist, 'assets', file), 'utf8')).join('');
  const names = [...css.matchAll(/\.((?:\\[\da-f]{1,6} |\\.|[\w-])+)/g)].map(([, name = '']) => name);
  const codePoint = (_: string, hex: string) => String.fromCodePoint(parseInt(hex, 16));
  return new Set(names.map((name) => name.replace(/\\([\da-f]{1,6}) /g, codePoint).replace(/\\(.)/g, '$1')));
}

/** The classes with a variant in a source text, such as `sm:hidden`; `styled` tells utilities of one word from other words. */
function variantClasses(text: string, styled: ReadonlySet<string>): string[] {
  const words = text.match(/(?<=[\s'"`])(?:[a-z@*][^\s:'"`]*:)+-?[a-z][^\s:'"`]*(?=[\s'"`])/g) ?? [];
  const isUtility = (name: string) => /^-?[a-z]+-/.test(name) || styled.has(name);
  return words.filter((word) => isUtility(word.slice(word.lastIndexOf(':') + 1)));
}

test('each class with a variant in the console has a style, so that no variant is used that does not exist', () => {
  const styled = styledClasses();
  const sources = readdirSync(join(repositoryRoot, 'console/src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !isTestFile(path))
    .map((path) => readFileSync(join(repositoryRoot, 'console/src', path), 'utf8'));
  const classes = sources.flatMap((text) => variantClasses(text, styled));
  expect(classes.length).toBeGreaterThan(300);
  expect(classes.filter((name) => !styled.has(name))).toEqual([]);
});
