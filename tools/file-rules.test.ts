import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  checkDecisions,
  checkFiles,
  checkFolderSizes,
  checkLength,
  checkLockFile,
  checkName,
  scanText,
} from './file-rules.ts';

const lines = (count: number): string => 'x\n'.repeat(count);

test('400 lines are a warning, 401 an error unless they are generated, 299 neither', () => {
  expect(checkLength('a.ts', lines(299))).toEqual([]);
  expect(checkLength('a.ts', lines(400))).toMatchObject([{ severity: 'warning' }]);
  expect(checkLength('a.ts', lines(401))).toMatchObject([{ severity: 'error' }]);
  expect(checkLength('a.ts', `// Generated from files.\n${lines(400)}`)).toEqual([]);
});

test.each([
  'hub/src/utils',
  'hub/src/shared/a.ts',
  'a/types.ts',
  'a/DeviceManager.ts',
  'a/device-service.ts',
  'a/test-helpers.ts',
])('the name of %s is refused', (path) => {
  const segments = path.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'));
  expect(segments.flatMap(checkName)).toHaveLength(1);
});

test.each(['hub/src/wiring', 'a/service-level.ts', 'a/typescript.ts'])(
  'the name of %s is accepted',
  (path) => {
    expect(checkName(path)).toEqual([]);
  },
);

// Concatenated, so that the scan does not report this file.
const dot = '.';

test.each([
  `test${dot}only('x', () => {});`,
  `describe${dot}skip('x', () => {});`,
  `test.describe${dot}only('x', () => {});`,
  `it${dot}todo('x');`,
  `test${dot}fixme('x');`,
  `x${''}it('x', () => {});`,
  `await new ${'Promise'}((resolve) => ${'setTimeout'}(resolve, 100));`,
  `await ${'sleep'}(100);`,
  `await page${dot}waitForTimeout(100);`,
])('in a test, %s is refused', (line) => {
  expect(scanText('hub/src/a.test.ts', line)).toMatchObject([
    { severity: 'error', place: 'hub/src/a.test.ts:1' },
  ]);
  expect(scanText('hub/src/a.ts', line)).toEqual([]);
});

test.each([
  `test('x', async () => {});`,
  `await vi.waitFor(() => expect(a).toBe(1));`,
  `test.each([1])('x', () => {});`,
])('in a test, %s is let through', (line) => {
  expect(scanText('hub/src/a.test.ts', line)).toEqual([]);
});

test.each([
  'ml-2',
  'md:pr-4',
  'hover:-ml-1',
  'left-0',
  'text-right',
  'border-l',
  'rounded-tr',
  'mr-auto',
  'pl-[3px]',
])('the physical class %s is refused in the console', (name) => {
  expect(scanText('console/src/ui/A.tsx', `<a className="flex ${name} p-2" />`)).toHaveLength(1);
});

test.each(['ms-2', 'pe-4', 'start-0', 'text-end', 'html-2', 'copyright-2', 'rounded-lg', 'border-line'])(
  'the class %s is accepted',
  (name) => {
    expect(scanText('console/src/ui/A.tsx', `<a className="flex ${name} p-2" />`)).toEqual([]);
  },
);

test('a lock file that names a host is reported, a link inside the workspace is not', () => {
  expect(checkLockFile('"resolved": "https://example.org/a.tgz"')).toHaveLength(1);
  expect(checkLockFile('"resolved": "agent"')).toEqual([]);
});

test('a long decision is reported, and a mention of one that does not exist', () => {
  const decision = (words: number) => ['docs/decisions/0012-a.md', 'x '.repeat(words)] as const;
  // In two parts, so that this file mentions no decision.
  const mention = (number: string) => ['README.md', `See ${'decision'} ${number}.`] as const;
  expect(checkDecisions([decision(250), mention('12')])).toEqual([]);
  expect(checkDecisions([decision(251), mention('7')])).toMatchObject([
    { place: 'docs/decisions/0012-a.md', message: '251 words; a decision has at most 250.' },
    { place: 'README.md', message: 'there is no decision 7 in docs/decisions.' },
  ]);
});

test('a whole tree is checked, except generated folders', () => {
  const root = mkdtempSync(join(tmpdir(), 'corral-files-'));
  try {
    for (const path of ['hub/src', 'hub/node_modules', 'hub/dist']) {
      mkdirSync(join(root, path), { recursive: true });
      writeFileSync(join(root, path, 'long.ts'), lines(500));
      writeFileSync(join(root, path, 'long.gen.ts'), lines(500));
    }
    expect(checkFiles(root).map(({ place }) => place)).toEqual(['hub/src/long.ts']);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('a folder of the hub has at most 40 files beside its tests and its index', () => {
  const files = Array.from({ length: 40 }, (_, index) => `hub/src/limits/a${index}.ts`);
  expect(checkFolderSizes([...files, 'hub/src/limits/a.test.ts', 'hub/src/limits/index.ts'])).toEqual([]);
  expect(checkFolderSizes([...files, 'hub/src/limits/b.ts'])).toMatchObject([{ place: 'hub/src/limits' }]);
});
