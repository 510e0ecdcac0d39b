import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** One test as its runner reported it; only `passed` counts as passed. */
export interface TestOutcome {
  file: string;
  name: string;
  status: string;
  message: string;
}

/** What a suite came to: every test, and one sentence for each thing outside a test that went wrong. */
export interface SuiteOutcome {
  tests: TestOutcome[];
  problems: string[];
}

/** The numbers of a run and what is to be said beside them. */
export interface Totals {
  passed: number;
  failed: number;
  sentences: string[];
}

/** The line that ends a run; a machine reads it. */
export const totalsLine = (totals: Pick<Totals, 'passed' | 'failed'>): string =>
  `${totals.passed} passed, ${totals.failed} failed`;

/** Counts a suite: a test that failed, was skipped or did not run is a failure with its name, and so is every problem. */
export function totalsOf(suite: SuiteOutcome): Totals {
  const failures = suite.tests.filter(hasFailed);
  return {
    passed: suite.tests.length - failures.length,
    failed: failures.length + suite.problems.length,
    sentences: [...failures.map(sentenceOf), ...suite.problems].map((sentence) => `failed: ${sentence}`),
  };
}

/** Adds suites up. */
export function sum(suites: readonly Totals[]): Totals {
  return {
    passed: suites.reduce((total, suite) => total + suite.passed, 0),
    failed: suites.reduce((total, suite) => total + suite.failed, 0),
    sentences: suites.flatMap((suite) => suite.sentences),
  };
}

/** The files that hold a test which failed, each once. */
export const failedFiles = (suite: SuiteOutcome): string[] => [
  ...new Set(suite.tests.filter(hasFailed).map((test) => test.file)),
];

/** A first run with the tests of a second run in place of its own; says which tests passed only at the second try. */
export function afterSecondTry(
  first: SuiteOutcome,
  second: SuiteOutcome,
): { suite: SuiteOutcome; unsteady: string[] } {
  const again = new Map(second.tests.map((test) => [keyOf(test), test]));
  const tests = first.tests.map((test) => (hasFailed(test) ? (again.get(keyOf(test)) ?? test) : test));
  const unsteady = first.tests.filter((test, index) => hasFailed(test) && !hasFailed(tests[index] ?? test));
  return {
    suite: { tests, problems: [...first.problems, ...second.problems] },
    unsteady: unsteady.map((test) => `passed only at the second try: ${sentenceOf(test)}`),
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

/** The tests of vitest's JSON report; a file that could not be loaded is one test that failed. */
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
    tests: { status: string; results?: { error?: { message?: string } }[] }[];
  }[];
}

interface PlaywrightReport {
  suites: PlaywrightSuite[];
  errors?: { message?: string }[];
}

const wordOfPlaywright: Record<string, string> = { expected: 'passed', unexpected: 'failed' };

/** The tests of Playwright's JSON report; an error outside any test is a problem. */
export function outcomeOfPlaywright(report: PlaywrightReport): SuiteOutcome {
  const tests: TestOutcome[] = [];
  const visit = (suite: PlaywrightSuite): void => {
    for (const spec of suite.specs ?? [])
      for (const { status, results } of spec.tests)
        tests.push({
          file: spec.file,
          name: spec.title,
          status: wordOfPlaywright[status] ?? status,
          message: results?.find((result) => result.error)?.error?.message ?? '',
        });
    for (const inner of suite.suites ?? []) visit(inner);
  };
  for (const suite of report.suites) visit(suite);
  const problems = (report.errors ?? []).map(
    (error) => `outside any test: ${firstLine(error.message ?? '')}`,
  );
  return { tests, problems };
}

/**
 * What a suite came to: its report read by `read`, plus one problem where the report is missing or unreadable, where it holds no
 * test, or where the runner failed although every test in the report passed.
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

/** A suite that came to nothing but one problem. */
export const problem = (sentence: string): SuiteOutcome => ({ tests: [], problems: [sentence] });

const hasFailed = (test: TestOutcome): boolean => test.status !== 'passed';
const keyOf = (test: TestOutcome): string => `${test.file}\n${test.name}`;

function sentenceOf({ file, name, status, message }: TestOutcome): string {
  if (status !== 'failed')
    return `${file}: ${name} did not run to its end (${status}); every test must run and pass`;
  return message === '' ? `${file}: ${name}` : `${file}: ${name}: ${firstLine(message)}`;
}

// Runners colour what they report; a sentence is plain.
const firstLine = (text: string): string => stripVTControlCharacters(text).trim().split('\n')[0] ?? '';
