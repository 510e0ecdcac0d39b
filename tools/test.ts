// `npm test [unit|e2e] [arguments of the runner]`: every test there is, and one line of totals at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAgentWhenStale } from './build-agent.ts';
import { buildCliWhenStale } from './build-cli.ts';
import { buildConsoleWhenStale } from './build-console.ts';
import { findOrInstallChromium } from './chromium.ts';
import { findOrInstallNginx } from './servers.ts';
import { runVisibly } from './run.ts';
import { repositoryRoot } from './source-files.ts';
import {
  afterSecondTry,
  failedFiles,
  outcomeOfPlaywright,
  outcomeOfRun,
  outcomeOfVitest,
  problem,
  sum,
  totalsLine,
  totalsOf,
} from './totals.ts';
import type { SuiteOutcome, Totals } from './totals.ts';

const script = (path: string): string => join(repositoryRoot, 'node_modules', path);

async function runUnit(folder: string, args: string[]): Promise<SuiteOutcome> {
  const report = join(folder, 'vitest.json');
  const code = await runVisibly(process.execPath, [
    script('vitest/vitest.mjs'),
    'run',
    '--allowOnly=false',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ]);
  return outcomeOfRun('unit', code, report, outcomeOfVitest);
}

async function runBrowser(folder: string, args: string[]): Promise<SuiteOutcome> {
  await buildAgentWhenStale();
  await buildCliWhenStale();
  await buildConsoleWhenStale();
  const report = join(folder, 'playwright.json');
  const cli = [
    script('@playwright/test/cli.js'),
    'test',
    '--config=e2e/playwright.config.ts',
    '--forbid-only',
  ];
  const code = await runVisibly(process.execPath, [...cli, '--reporter=list,json', ...args], {
    ...process.env,
    CORRAL_CHROMIUM: findOrInstallChromium(),
    CORRAL_NGINX: findOrInstallNginx(),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  });
  return outcomeOfRun('e2e', code, report, outcomeOfPlaywright);
}

const suites = { unit: runUnit, e2e: runBrowser };
type SuiteName = keyof typeof suites;
const isSuiteName = (word: string): word is SuiteName => Object.hasOwn(suites, word);

/** A step that throws is a failure with its message, never a missing number. */
async function reported(step: () => Promise<SuiteOutcome>): Promise<SuiteOutcome> {
  try {
    return await step();
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error));
  }
}

/** More failed files than these are no accident of a busy machine, and are not tried again. */
const maxFilesTriedAgain = 3;

/** Runs a suite, and the few files that failed a second time, alone: what passes only then is counted, and named (docs/decisions/0011). */
async function runSuite(name: SuiteName, folder: string, args: string[]): Promise<Totals> {
  const first = await reported(() => suites[name](folder, args));
  const files = failedFiles(first);
  if (files.length === 0 || files.length > maxFilesTriedAgain) return totalsOf(first);
  process.stdout.write(`\nA second try, alone: ${files.join(', ')}\n`);
  const second = await reported(() => suites[name](folder, files));
  const { suite, unsteady } = afterSecondTry(first, second);
  const totals = totalsOf(suite);
  return { ...totals, sentences: [...unsteady, ...totals.sentences] };
}

async function runSelected(selected: SuiteName[], args: string[]): Promise<Totals> {
  const folder = mkdtempSync(join(tmpdir(), 'corral-test-'));
  try {
    const results: Totals[] = [];
    for (const name of selected) results.push(await runSuite(name, folder, args));
    return sum(results);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const words = process.argv.slice(2);
const first = words[0];
const totals =
  first !== undefined && isSuiteName(first)
    ? await runSelected([first], words.slice(1))
    : first === undefined
      ? await runSelected(['unit', 'e2e'], [])
      : totalsOf(
          problem(
            `There is no suite "${first}": run npm test, npm test -- unit or npm test -- e2e, then arguments for the runner.`,
          ),
        );

for (const sentence of totals.sentences) process.stdout.write(`\n${sentence}\n`);
process.stdout.write(`\n${totalsLine(totals)}\n`);
process.exitCode = totals.failed === 0 ? 0 : 1;
