import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runCollecting } from '../run.ts';
import { repositoryRoot, sourcePaths } from '../source-files.ts';
import { codeSpans, isCommands, readPages, scriptOf } from './markdown.ts';
import { commandsInTable, helpOf, leafCommandsOf, problemOf, programCallOf } from './program-help.ts';
import { simpleCommands } from './shell-words.ts';

const pages = readPages();
const blocks = pages.flatMap((page) => page.blocks);

test('every block of commands is one that a shell understands', async () => {
  const outcomes = await Promise.all(
    blocks.filter(isCommands).map(async (block) => {
      const { code, output } = await runCollecting('bash', ['-n', '-c', scriptOf(block)]);
      return code === 0 && output === '' ? [] : [`${block.place}: ${output}`];
    }),
  );
  expect(outcomes.flat()).toEqual([]);
});

test('every call of a program of Corral names a command and options that it has', async () => {
  const inBlocks = blocks
    .filter(isCommands)
    .flatMap((block) => simpleCommands(scriptOf(block)).map((words) => ({ place: block.place, words })));
  const inProse = pages.flatMap((page) =>
    codeSpans(page)
      .filter((span) => /^(?:sudo |npm |node |corral |corral-agent |corral-hub )/.test(span))
      .flatMap((span) => simpleCommands(span).map((words) => ({ place: page.name, words }))),
  );
  const calls = [...inBlocks, ...inProse];
  expect(calls.filter(({ words }) => programCallOf(words) !== undefined).length).toBeGreaterThan(60);
  const problems = await Promise.all(
    calls.map(async ({ place, words }) => {
      const problem = await problemOf(words);
      return problem === undefined ? [] : [`${place}: ${words.join(' ')}: ${problem}`];
    }),
  );
  expect(problems.flat()).toEqual([]);
});

test.each([
  ['corral', 'docs/cli.md'],
  ['corral-agent', 'docs/agent.md'],
])('the table of commands of %s has each of them, and no other', async (program, name) => {
  const page = pages.find((each) => each.name === name);
  const [, table = ''] = /\n## Commands\n(.*?)\n## /s.exec(page?.text ?? '') ?? [];
  const described = await commandsInTable(program, table);
  expect(described.filter(({ problem }) => problem !== undefined)).toEqual([]);
  const leaves = await leafCommandsOf(program);
  expect(leaves.length).toBeGreaterThan(8);
  expect(described.map(({ path }) => path.join(' ')).toSorted()).toEqual(
    leaves.map((path) => path.join(' ')).toSorted(),
  );
});

test('every setting that a page names exists', async () => {
  const settings = (await helpOf('corral-hub')).match(/\bCORRAL_[A-Z0-9_]+/g) ?? [];
  const { files } = sourcePaths(repositoryRoot);
  // Agent with its kit, command line, tools and benchmarks read theirs by name.
  const sources = files.filter(
    (path) => /^(?:agent|bench|cli|client|tools)\/.*\.(?:ts|sh)$/.test(path) && !path.endsWith('.test.ts'),
  );
  const read = sources.flatMap((path) => [
    ...readFileSync(join(repositoryRoot, path), 'utf8').matchAll(
      /\['(CORRAL_[A-Z0-9_]+)'\]|\bCORRAL_[A-Z0-9_]+(?=[:\s}])/g,
    ),
  ]);
  const known = new Set([...settings, ...read.map(([found, name]) => name ?? found)]);
  const named = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/\bCORRAL_[A-Z0-9_]*[A-Z0-9]/g)].map(([setting]) => ({ name, setting })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ setting }) => !known.has(setting))).toEqual([]);
});

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

test('every link leads to a file, and to a heading of it', () => {
  const broken = pages.flatMap(({ name, prose }) =>
    [...prose.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(([, path = '', anchor]) => {
      const target = path === '' ? name : join(dirname(name), path);
      if (!existsSync(join(repositoryRoot, target))) return [`${name}: ${target}`];
      if (anchor === undefined) return [];
      const headings = readFileSync(join(repositoryRoot, target), 'utf8').matchAll(/^#+ (.*)$/gm);
      return [...headings].some(([, heading = '']) => anchorOf(heading) === anchor)
        ? []
        : [`${name}: ${target}#${anchor}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('a block without a language shows what programs print, and no command', () => {
  const outputs = blocks.filter(({ language }) => language === '');
  expect(
    outputs.filter(({ text }) => /^ *(?:\$ |(?:npm|corral|corral-agent|corral-hub|curl|sudo) )/m.test(text)),
  ).toEqual([]);
});
