import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { outcomeOfPlaywright, outcomeOfRun, outcomeOfVitest, sum, totalsLine, totalsOf } from './totals.ts';

const vitestFile = (statuses: string[], status = 'passed', message = '') => ({
  name: 'a.test.ts',
  status,
  message,
  assertionResults: statuses.map((each, index) => ({
    fullName: `test ${index}`,
    status: each,
    ...(each === 'failed' && {
      failureMessages: ['\u001B[31mexpected 1 to be 2\u001B[0m\n  at a.test.ts:3'],
    }),
  })),
});

const vitest = (...files: ReturnType<typeof vitestFile>[]) => ({ testResults: files });
const totalsOfRun = (exitCode: number, path: string) =>
  totalsOf(outcomeOfRun('unit', exitCode, path, outcomeOfVitest));

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

test('the totals of suites are added in one line', () => {
  const suites = [
    { passed: 3, failed: 0, sentences: [] },
    { passed: 4, failed: 2, sentences: ['x'] },
  ];
  expect(totalsLine(sum(suites))).toBe('7 passed, 2 failed');
});

test('a failed test is named with its reason, and one that did not run counts as failed', () => {
  const totals = totalsOf(outcomeOfVitest(vitest(vitestFile(['passed', 'failed', 'skipped', 'todo']))));
  expect(totals).toMatchObject({ passed: 1, failed: 3 });
  expect(totals.sentences).toEqual([
    'failed: a.test.ts: test 1: expected 1 to be 2',
    'failed: a.test.ts: test 2 did not complete (skipped); every test must run and pass',
    'failed: a.test.ts: test 3 did not complete (todo); every test must run and pass',
  ]);
});

test('a test with an optional requirement may be skipped, and one sentence says so', () => {
  const tests = ['passed', 'skipped', 'pending', 'failed', 'todo'].map((status) => ({
    file: 'a.test.ts',
    name: '[needs Go] a store',
    status,
    message: '',
  }));
  const totals = totalsOf({ tests, problems: [] });
  expect(totals).toMatchObject({ passed: 1, failed: 2 });
  expect(totals.sentences.at(-1)).toBe(
    'skipped: 2 tests that need Go 1.25 or newer; those of S3 run also with CORRAL_TEST_S3_URL and its keys',
  );
});

test('a file that could not be loaded counts as a failure', () => {
  const totals = totalsOf(outcomeOfVitest(vitest(vitestFile([], 'failed', 'SyntaxError: x\n at y'))));
  expect(totals).toEqual({
    passed: 0,
    failed: 1,
    sentences: ['failed: a.test.ts: the file: could not be run: SyntaxError: x'],
  });
});

test('a browser test that was skipped, and an error outside any test, count as failures', () => {
  const spec = (status: string) => ({ title: status, file: 'a.e2e.ts', tests: [{ status }] });
  const specs = ['expected', 'unexpected', 'skipped', 'interrupted'].map(spec);
  const report = { suites: [{ title: '', suites: [{ title: '', specs }] }], errors: [{ message: 'no hub' }] };
  const totals = totalsOf(outcomeOfPlaywright(report));
  expect(totals).toMatchObject({ passed: 1, failed: 4 });
  expect(totals.sentences).toContain('failed: outside any test: no hub');
});

test('a test that passed at the second attempt counts as passed, and is named with the reason of the first', () => {
  const ofVitest = vitestFile(['failed', 'passed']);
  for (const one of ofVitest.assertionResults) one.status = 'passed';
  expect(totalsOf(outcomeOfVitest(vitest(ofVitest)))).toEqual({
    passed: 2,
    failed: 0,
    sentences: ['passed at the second attempt: a.test.ts: test 0: expected 1 to be 2'],
  });
  const results = [{ error: { message: 'no button' } }, {}];
  const specs = [{ title: 'shows it', file: 'a.e2e.ts', tests: [{ status: 'flaky', results }] }];
  expect(totalsOf(outcomeOfPlaywright({ suites: [{ title: '', specs }] }))).toEqual({
    passed: 1,
    failed: 0,
    sentences: ['passed at the second attempt: a.e2e.ts: shows it: no button'],
  });
});

test('a suite without a report, with a broken one, or without tests fails', () => {
  expect(totalsOfRun(0, join(folder, 'none.json'))).toMatchObject({ failed: 1 });
  expect(totalsOfRun(0, reportFile('{'))).toMatchObject({ failed: 1 });
  expect(totalsOfRun(0, reportFile(vitest()))).toMatchObject({ failed: 1 });
});

test('a runner that failed although all its tests passed is a failure, as with an unhandled rejection', () => {
  const path = reportFile(vitest(vitestFile(['passed'])));
  expect(totalsOfRun(1, path)).toMatchObject({ passed: 1, failed: 1 });
  expect(totalsOfRun(0, path)).toEqual({ passed: 1, failed: 0, sentences: [] });
});
