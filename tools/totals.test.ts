import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sum, totalsLine, totalsOfPlaywright, totalsOfRun, totalsOfVitest } from './totals.ts';

const vitestFile = (statuses: string[], status = 'passed', message = '') => ({
  name: 'a.test.ts',
  status,
  message,
  assertionResults: statuses.map((each, index) => ({ fullName: `test ${index}`, status: each })),
});

const vitest = (...files: ReturnType<typeof vitestFile>[]) => ({ testResults: files });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corral-totals-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function reportFile(content: unknown): string {
  const path = join(folder, 'report.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

test('the totals of suites are added up in one plain line', () => {
  const suites = [
    { passed: 3, failed: 0, problems: [] },
    { passed: 4, failed: 2, problems: ['x'] },
  ];
  expect(totalsLine(sum(suites))).toBe('7 passed, 2 failed');
});

test('a test that did not run counts as a failure and is named', () => {
  const totals = totalsOfVitest(vitest(vitestFile(['passed', 'failed', 'skipped', 'todo'])));
  expect(totals).toMatchObject({ passed: 1, failed: 3 });
  expect(totals.problems.join('\n')).toMatch(/a\.test\.ts: test 2 did not run to its end \(skipped\)/);
});

test('a file that could not be loaded counts as a failure', () => {
  const totals = totalsOfVitest(vitest(vitestFile([], 'failed', 'SyntaxError: x\n at y')));
  expect(totals).toEqual({ passed: 0, failed: 1, problems: ['a.test.ts could not be run: SyntaxError: x'] });
});

test('a browser test that was skipped or passed only at a second try counts as a failure', () => {
  const spec = (status: string) => ({
    title: status,
    file: 'a.e2e.ts',
    tests: [{ status, projectName: 'light' }],
  });
  const specs = ['expected', 'unexpected', 'skipped', 'flaky'].map(spec);
  const totals = totalsOfPlaywright({
    suites: [{ title: '', suites: [{ title: '', specs }] }],
    errors: [{ message: 'no hub' }],
  });
  expect(totals).toMatchObject({ passed: 1, failed: 4 });
  expect(totals.problems).toHaveLength(3);
});

test('a suite without a report, with a broken one, or without tests fails', () => {
  expect(totalsOfRun('unit', 0, join(folder, 'none.json'), totalsOfVitest)).toMatchObject({ failed: 1 });
  expect(totalsOfRun('unit', 0, reportFile('{'), totalsOfVitest)).toMatchObject({ failed: 1 });
  expect(totalsOfRun('unit', 0, reportFile(vitest()), totalsOfVitest)).toMatchObject({ failed: 1 });
});

test('a runner that failed although all its tests passed is a failure, as with an unhandled rejection', () => {
  const path = reportFile(vitest(vitestFile(['passed'])));
  expect(totalsOfRun('unit', 1, path, totalsOfVitest)).toMatchObject({ passed: 1, failed: 1 });
  expect(totalsOfRun('unit', 0, path, totalsOfVitest)).toEqual({ passed: 1, failed: 0, problems: [] });
});
