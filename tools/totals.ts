import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { secondsByFile } from './durations.ts';

/** One test as its runner reported it; only `passed` counts as passed. */
export interface TestOutcome {
  file: string;
  name: string;
  status: string;
  /** Why it failed; of a test that passed, why it did not at the first attempt. */
  message: string;
}

/** The outcome of a suite: every test, and one sentence for each failure outside a test. */
export interface SuiteOutcome {
  tests: TestOutcome[];
  problems: string[];
  /** The seconds of each file, if the report has them. */
  fileSeconds?: ReadonlyMap<string, number>;
}

/** The numbers of a run and the sentences that explain its failures. */
export interface Totals {
  passed: number;
  failed: number;
  sentences: string[];
}

/** The last line of a run, which scripts parse. */
export const totalsLine = (totals: Pick<Totals, 'passed' | 'failed'>): string =>
  `${totals.passed} passed, ${totals.failed} failed`;

/**
 * Counts a suite. A test that failed, was skipped or did not run is a failure, and so is every problem. Only tests whose names state an
 * optional requirement may be skipped; they count as neither passed nor failed.
 */
export function totalsOf(suite: SuiteOutcome): Totals {
  const allowedSkips = suite.tests.filter(isAllowedSkip);
  const failures = suite.tests.filter((test) => hasFailed(test) && !isAllowedSkip(test));
  const sentences = [...failures.map(messageOf), ...suite.problems].map((sentence) => `failed: ${sentence}`);
  const retried = suite.tests.filter((test) => !hasFailed(test) && test.message !== '');
  return {
    passed: suite.tests.length - failures.length - allowedSkips.length,
    failed: failures.length + suite.problems.length,
    sentences: [
      ...sentences,
      ...retried.map((test) => `passed at the second attempt: ${messageOf(test)}`),
      ...allowedSkipSentences(allowedSkips),
    ],
  };
}

/** The optional requirements in names of tests, and what satisfies them. */
const optionalRequirements = {
  '[needs Go]': 'Go 1.25 or newer; those of S3 run also with CORRAL_TEST_S3_URL and its keys',
  '[needs NATS]': 'nats-server, or Go to build it',
  '[needs root]': 'the rights of root',
};

function isAllowedSkip({ status, name }: TestOutcome): boolean {
  const isSkipped = ['skipped', 'pending'].includes(status);
  return isSkipped && Object.keys(optionalRequirements).some((need) => name.includes(need));
}

function allowedSkipSentences(allowedSkips: readonly TestOutcome[]): string[] {
  return Object.entries(optionalRequirements).flatMap(([need, what]) => {
    const count = allowedSkips.filter(({ name }) => name.includes(need)).length;
    return count === 0 ? [] : [`skipped: ${count} tests that need ${what}`];
  });
}

/** Adds the totals of several suites. */
export function sum(suites: readonly Totals[]): Totals {
  return {
    passed: suites.reduce((total, suite) => total + suite.passed, 0),
    failed: suites.reduce((total, suite) => total + suite.failed, 0),
    sentences: suites.flatMap((suite) => suite.sentences),
  };
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
}

/** Reads vitest's JSON report. A file that could not be loaded counts as one failed test. */
export function outcomeOfVitest(report: VitestReport): SuiteOutcome {
  const tests: TestOutcome[] = [];
  for (const { name: file, status, message, assertionResults } of report.testResults) {
    for (const test of assertionResults)
      tests.push({
        file,
        name: test.fullName,
        status: test.status,
        message: test.failureMessages?.[0] ?? '',
      });
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
      tests.push({ file, name: 'the file', status: 'failed', message: `could not be run: ${message}` });
  }
  return { tests, problems: [] };
}

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: {
    title: string;
    file: string;
    tests: { status: string; results?: { duration?: number; error?: { message?: string } }[] }[];
  }[];
}

interface PlaywrightReport {
  suites: PlaywrightSuite[];
  errors?: { message?: string }[];
}

/** A flaky test has failed and then passed; it has a second attempt only in runs that ask for one. */
const statusOfPlaywright: Record<string, string> = {
  expected: 'passed',
  unexpected: 'failed',
  flaky: 'passed',
};

/** Reads Playwright's JSON report. An error outside any test is a problem. */
export function outcomeOfPlaywright(report: PlaywrightReport): SuiteOutcome {
  const tests: TestOutcome[] = [];
  const seconds: [string, number][] = [];
  const visit = (suite: PlaywrightSuite): void => {
    for (const spec of suite.specs ?? [])
      for (const { status, results = [] } of spec.tests) {
        tests.push({
          file: spec.file,
          name: spec.title,
          status: statusOfPlaywright[status] ?? status,
          message: results.find((result) => result.error)?.error?.message ?? '',
        });
        for (const { duration = 0 } of results) seconds.push([spec.file, duration / 1000]);
      }
    for (const inner of suite.suites ?? []) visit(inner);
  };
  for (const suite of report.suites) visit(suite);
  const problems = (report.errors ?? []).map(
    (error) => `outside any test: ${firstLine(error.message ?? '')}`,
  );
  return { tests, problems, fileSeconds: secondsByFile(seconds) };
}

/**
 * The outcome of a runner's process: its report read by `read`, plus one problem if the report is missing, unreadable or without tests,
 * or if the runner failed although every test in the report passed.
 */
export function outcomeOfRun(
  suite: string,
  exitCode: number,
  reportPath: string,
  read: (report: never) => SuiteOutcome,
): SuiteOutcome {
  const outcome = readReport(suite, reportPath, read);
  if (outcome.problems.length > 0) return outcome;
  if (outcome.tests.length === 0) return problem(`${suite}: no test was found`);
  if (exitCode !== 0 && !outcome.tests.some(hasFailed))
    outcome.problems.push(
      `${suite}: the runner ended with code ${exitCode} although no test failed (see its output above)`,
    );
  return outcome;
}

function readReport(suite: string, path: string, read: (report: never) => SuiteOutcome): SuiteOutcome {
  if (!existsSync(path)) return problem(`${suite}: the runner wrote no report`);
  try {
    return read(JSON.parse(readFileSync(path, 'utf8')) as never);
  } catch (error) {
    return problem(
      `${suite}: the report can't be read (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}

/** The joint outcome of the parts of a suite. */
export function joinOutcomes(parts: readonly SuiteOutcome[]): SuiteOutcome {
  return {
    tests: parts.flatMap(({ tests }) => tests),
    problems: parts.flatMap(({ problems }) => problems),
    fileSeconds: new Map(parts.flatMap(({ fileSeconds }) => [...(fileSeconds ?? [])])),
  };
}

/** The outcome of a suite that could not run, with the reason. */
export const problem = (sentence: string): SuiteOutcome => ({ tests: [], problems: [sentence] });

const hasFailed = (test: TestOutcome): boolean => test.status !== 'passed';

function messageOf({ file, name, status, message }: TestOutcome): string {
  if (status !== 'failed' && status !== 'passed')
    return `${file}: ${name} did not complete (${status}); every test must run and pass`;
  return message === '' ? `${file}: ${name}` : `${file}: ${name}: ${firstLine(message)}`;
}

// Runners colour their messages.
const firstLine = (text: string): string => stripVTControlCharacters(text).trim().split('\n')[0] ?? '';
