// Rules that neither compiler nor linter checks: file length, file names, tests that are skipped or sleep, CSS directions, decisions, notes of the next release, the lock file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChanges } from './release/changes.ts';
import { isTestFile, sourcePaths } from './source-files.ts';

/** One violation of a rule; a warning does not fail the check. */
export interface Finding {
  severity: 'error' | 'warning';
  /** Path relative to the repository, with `:line` where there is one. */
  place: string;
  message: string;
}

const maxLines = 400;
const warnAtLines = 300;

/** Checks the length of one source text: a warning from 300 lines, an error above 400. Generated texts may have any length. */
export function checkLength(path: string, text: string): Finding[] {
  if (text.startsWith('// Generated from ')) return [];
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (lines > maxLines)
    return [
      error(
        path,
        `${lines} lines; the maximum is ${maxLines}: move a part that has a name of its own to another file.`,
      ),
    ];
  if (lines >= warnAtLines)
    return [warning(path, `${lines} lines; the maximum is ${maxLines}: consider splitting it.`)];
  return [];
}

const vagueNames = [
  'utils',
  'util',
  'common',
  'shared',
  'helpers',
  'helper',
  'misc',
  'types',
  'manager',
  'service',
];

/** Finds names that do not describe a file's or folder's content, as the whole name or as its last word. */
export function checkName(path: string): Finding[] {
  const base = path.split('/').at(-1) ?? path;
  const stem = base.replace(/\..*$/, '');
  const lastWord =
    stem
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .split(/[-_]/)
      .at(-1) ?? stem;
  if (!vagueNames.includes(lastWord.toLowerCase())) return [];
  return [
    error(path, `"${lastWord}" does not describe the content: use a name for what it does or contains.`),
  ];
}

interface Scan {
  applies: (path: string) => boolean;
  pattern: RegExp;
  message: string;
}

const isConsoleSource = (path: string): boolean =>
  /^console\/src\/.*\.(tsx?|css)$/.test(path) && !isTestFile(path) && !path.includes('.gen.');

const scans: Scan[] = [
  {
    applies: isTestFile,
    pattern:
      /\b(?:test|it|describe|suite)(?:\.\w+)*\.(?:only|skip|todo|fixme|skipIf|runIf|fails?)\b|\b(?:xit|xtest|xdescribe|fit|fdescribe)\(/,
    message: 'every test must run and pass: fix it, or delete it together with the behaviour that it tests.',
  },
  {
    applies: isTestFile,
    pattern:
      /\bawait\s+(?:\w+\.)?(?:sleep|delay|pause|setTimeout|waitForTimeout)\(|\bawait\s+new\s+Promise\b[^;]*\bsetTimeout\b/,
    message:
      'a test never sleeps: wait for the condition or event (vi.waitFor, expect.poll, once(...)), or move an injected clock.',
  },
  {
    applies: isConsoleSource,
    pattern:
      /(?<![\w-])-?(?:(?:[mp][lr]|left|right|scroll-[mp][lr])-(?:\d|\[|\(|auto|px|full)|(?:text|float|clear)-(?:left|right)\b|border-[lr]\b|rounded-(?:[lr]|[tb][lr])\b)/,
    message:
      'use logical directions, which also work for right-to-left text: ms-, me-, ps-, pe-, start-, end-, text-start, border-s, rounded-s.',
  },
];

/** Findings of the text scans in one file. */
export function scanText(path: string, text: string): Finding[] {
  const applying = scans.filter((scan) => scan.applies(path));
  if (applying.length === 0) return [];
  return text
    .split('\n')
    .flatMap((line, index) =>
      /^\s*(?:\/\/|\*|\/\*)/.test(line)
        ? []
        : applying
            .filter((scan) => scan.pattern.test(line))
            .map((scan) => error(`${path}:${index + 1}`, scan.message)),
    );
}

/** Checks that the lock file names no registry host, so that it installs from any registry. */
export function checkLockFile(text: string): Finding[] {
  const line = text.split('\n').findIndex((candidate) => /"resolved":\s*"(?:https?|git|ssh)/.test(candidate));
  if (line < 0) return [];
  const message =
    'the lock file names a host: regenerate it with `npm install --package-lock-only` (.npmrc omits the host).';
  return [error(`package-lock.json:${line + 1}`, message)];
}

const maxDecisionWords = 250;

/** Checks that decisions are short, and that each one that a text mentions by its number exists. */
export function checkDecisions(texts: readonly (readonly [path: string, text: string])[]): Finding[] {
  const numberOf = (path: string): number => Number(/^docs\/decisions\/(\d+)-/.exec(path)?.[1]);
  const known = new Set(texts.map(([path]) => numberOf(path)));
  return texts.flatMap(([path, text]) => {
    const words = text.trim().split(/\s+/).length;
    const isLong = path.startsWith('docs/decisions/') && words > maxDecisionWords;
    const missing = [...text.matchAll(/\bdecisions?[\s/](\d+)/gi)].filter(
      ([, number]) => !known.has(Number(number)),
    );
    return [
      ...(isLong ? [error(path, `${words} words; a decision has at most ${maxDecisionWords}.`)] : []),
      ...missing.map(([mention]) => error(path, `there is no ${mention} in docs/decisions.`)),
    ];
  });
}

const maxFilesInFolder = 40;

/** Finds folders of the hub with more sources beside their tests than one can survey. */
export function checkFolderSizes(files: readonly string[]): Finding[] {
  // Migrations stay as they are, so their folder only grows.
  const sources = files.filter(
    (path) =>
      /^hub\/src\/.*\.ts$/.test(path) &&
      !isTestFile(path) &&
      !path.endsWith('/index.ts') &&
      !path.includes('/migrations/'),
  );
  const byFolder = Map.groupBy(sources, (path) => path.slice(0, path.lastIndexOf('/')));
  return [...byFolder].flatMap(([folder, { length }]) =>
    length > maxFilesInFolder
      ? [
          error(
            folder,
            `${length} files; a folder has at most ${maxFilesInFolder} beside tests: cut it by what they are about.`,
          ),
        ]
      : [],
  );
}

/** All findings in a repository. */
export function checkFiles(root: string): Finding[] {
  const { files, folders } = sourcePaths(root);
  // The device kit names its files after commands.
  const named = [...files, ...folders].filter((path) => !path.startsWith('agent/kit/')).flatMap(checkName);
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const sources = files.filter((path) => /\.(tsx?|css)$/.test(path) && !/\.gen\.tsx?$/.test(path));
  const mentioning = files.filter((path) => /\.(tsx?|md|sql)$/.test(path));
  const inTexts = sources.flatMap((path) => {
    const text = read(path);
    return [...(path.endsWith('.css') ? [] : checkLength(path, text)), ...scanText(path, text)];
  });
  return [
    ...named,
    ...inTexts,
    ...checkFolderSizes(files),
    ...checkDecisions(mentioning.map((path) => [path, read(path)])),
    ...readChanges(root).problems.map(({ file, message }) => error(file, message)),
    ...(files.includes('package-lock.json') ? checkLockFile(read('package-lock.json')) : []),
  ];
}

const error = (place: string, message: string): Finding => ({ severity: 'error', place, message });
const warning = (place: string, message: string): Finding => ({ severity: 'warning', place, message });
