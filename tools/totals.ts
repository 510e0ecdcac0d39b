import { existsSync, readFileSync } from 'node:fs';

/** What a suite came to: how many tests passed and failed, and one sentence for each thing that must not be passed over. */
export interface Totals {
  passed: number;
  failed: number;
  problems: string[];
}

/** The line that ends a run; a machine reads it. */
export const totalsLine = (totals: Pick<Totals, 'passed' | 'failed'>): string =>
  `${totals.passed} passed, ${totals.failed} failed`;

/** Adds suites up. */
export function sum(suites: readonly Totals[]): Totals {
  return {
    passed: suites.reduce((total, suite) => total + suite.passed, 0),
    failed: suites.reduce((total, suite) => total + suite.failed, 0),
    problems: suites.flatMap((suite) => suite.problems),
  };
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

/** Totals of vitest's JSON report; a file that could not be loaded and a test that did not run count as failures. */
export function totalsOfVitest(report: VitestReport): Totals {
  const totals: Totals = { passed: 0, failed: 0, problems: [] };
  for (const file of report.testResults) {
    for (const test of file.assertionResults) count(totals, test.status, `${file.name}: ${test.fullName}`);
    const hasFailedTest = file.assertionResults.some((test) => test.status === 'failed');
    if (file.status === 'failed' && !hasFailedTest)
      addProblem(totals, `${file.name} could not be run: ${firstLine(file.message)}`);
  }
  return totals;
}

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; tests: { status: string; projectName: string }[] }[];
}

interface PlaywrightReport {
  suites: PlaywrightSuite[];
  errors?: { message?: string }[];
}

const wordOfPlaywright: Record<string, string> = { expected: 'passed', unexpected: 'failed', flaky: 'flaky' };

/** Totals of Playwright's JSON report; a flaky or skipped test and an error outside any test count as failures. */
export function totalsOfPlaywright(report: PlaywrightReport): Totals {
  const totals: Totals = { passed: 0, failed: 0, problems: [] };
  const visit = (suite: PlaywrightSuite): void => {
    for (const spec of suite.specs ?? [])
      for (const test of spec.tests)
        count(totals, wordOfPlaywright[test.status] ?? test.status, `${spec.file}: ${spec.title}`);
    for (const inner of suite.suites ?? []) visit(inner);
  };
  for (const suite of report.suites) visit(suite);
  for (const error of report.errors ?? [])
    addProblem(totals, `outside any test: ${firstLine(error.message ?? '')}`);
  return totals;
}

/**
 * What a suite came to: its report read by `read`, plus one failure where the report is missing or unreadable, where it holds no
 * test, or where the runner failed although every test in the report passed.
 */
export function totalsOfRun(
  suite: string,
  exitCode: number,
  reportPath: string,
  read: (report: never) => Totals,
): Totals {
  const totals = readReport(suite, reportPath, read);
  if (totals.passed + totals.failed === 0) addProblem(totals, `${suite}: no test was found`);
  if (exitCode !== 0 && totals.failed === 0)
    addProblem(
      totals,
      `${suite}: the runner ended with code ${exitCode} although no test failed (see its output above)`,
    );
  return totals;
}

function readReport(suite: string, path: string, read: (report: never) => Totals): Totals {
  if (!existsSync(path)) return problem(`${suite}: the runner wrote no report`);
  try {
    return read(JSON.parse(readFileSync(path, 'utf8')) as never);
  } catch (error) {
    return problem(
      `${suite}: the report can't be read (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}

/** One failure with its sentence. */
export const problem = (sentence: string): Totals => ({ passed: 0, failed: 1, problems: [sentence] });

function addProblem(totals: Totals, sentence: string): void {
  totals.failed += 1;
  totals.problems.push(sentence);
}

function count(totals: Totals, status: string, name: string): void {
  if (status === 'passed') totals.passed += 1;
  else if (status === 'failed') totals.failed += 1;
  else addProblem(totals, `${name} did not run to its end (${status}); every test must run and pass`);
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';
