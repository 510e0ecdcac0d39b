// What no compiler and no linter says: the length of files, their names, honest tests, and a few words in the text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTestFile, sourcePaths } from './source-files.ts';

/** One thing found; a warning does not fail the check. */
export interface Finding {
  severity: 'error' | 'warning';
  /** Path relative to the repository, with `:line` where there is one. */
  place: string;
  message: string;
}

const longestLines = 400;
const thinkAtLines = 300;

/** Length of one source text: 400 lines is the wall, 300 the moment to think. */
export function checkLength(path: string, text: string): Finding[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (lines > longestLines)
    return [
      error(
        path,
        `${lines} lines; ${longestLines} is the wall: cut it where one part can be named by itself.`,
      ),
    ];
  if (lines >= thinkAtLines)
    return [warning(path, `${lines} lines; think of a cut before it reaches ${longestLines}.`)];
  return [];
}

const emptyNames = [
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

/** Names that say nothing about what a file or folder holds, as the whole name or as its last word. */
export function checkName(path: string): Finding[] {
  const base = path.split('/').at(-1) ?? path;
  const stem = base.replace(/\..*$/, '');
  const lastWord =
    stem
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .split(/[-_]/)
      .at(-1) ?? stem;
  if (!emptyNames.includes(lastWord.toLowerCase())) return [];
  return [
    error(path, `"${lastWord}" says nothing about what is inside: name it after what it does or holds.`),
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
    message: 'every test runs and must pass: make it work, or delete it together with what it was to prove.',
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
      'write the logical direction, which also holds from right to left: ms-, me-, ps-, pe-, start-, end-, text-start, border-s, rounded-s.',
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

/** The lock file must install from whichever registry its reader uses. */
export function checkLockFile(text: string): Finding[] {
  const line = text.split('\n').findIndex((candidate) => /"resolved":\s*"(?:https?|git|ssh)/.test(candidate));
  if (line < 0) return [];
  const message =
    'the lock file names a host: write it anew with `npm install --package-lock-only` (.npmrc leaves the host out).';
  return [error(`package-lock.json:${line + 1}`, message)];
}

/** All findings in a repository. */
export function checkFiles(root: string): Finding[] {
  const { files, folders } = sourcePaths(root);
  const named = [...files, ...folders].flatMap(checkName);
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const sources = files.filter((path) => /\.(tsx?|css)$/.test(path) && !/\.gen\.tsx?$/.test(path));
  const inTexts = sources.flatMap((path) => {
    const text = read(path);
    return [...(path.endsWith('.css') ? [] : checkLength(path, text)), ...scanText(path, text)];
  });
  return [
    ...named,
    ...inTexts,
    ...(files.includes('package-lock.json') ? checkLockFile(read('package-lock.json')) : []),
  ];
}

const error = (place: string, message: string): Finding => ({ severity: 'error', place, message });
const warning = (place: string, message: string): Finding => ({ severity: 'warning', place, message });
