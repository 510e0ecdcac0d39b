// `npm test [unit|e2e] [arguments of the runner]`: every test there is, and one line of totals at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAgentWhenStale } from './build-agent.ts';
import { buildConsoleWhenStale } from './build-console.ts';
import { findOrInstallChromium } from './chromium.ts';
import { runVisibly } from './run.ts';
import { repositoryRoot } from './source-files.ts';
import { problem, sum, totalsLine, totalsOfPlaywright, totalsOfRun, totalsOfVitest } from './totals.ts';
import type { Totals } from './totals.ts';

const script = (path: string): string => join(repositoryRoot, 'node_modules', path);

async function runUnit(folder: string, args: string[]): Promise<Totals> {
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
  return totalsOfRun('unit', code, report, totalsOfVitest);
}

async function runBrowser(folder: string, args: string[]): Promise<Totals> {
  await buildAgentWhenStale();
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
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  });
  return totalsOfRun('e2e', code, report, totalsOfPlaywright);
}

const suites = { unit: runUnit, e2e: runBrowser };
type SuiteName = keyof typeof suites;
const isSuiteName = (word: string): word is SuiteName => Object.hasOwn(suites, word);

/** A step that throws is a failure with its message, never a missing number. */
async function counted(step: () => Promise<Totals>): Promise<Totals> {
  try {
    return await step();
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error));
  }
}

async function runSelected(selected: SuiteName[], args: string[]): Promise<Totals> {
  const folder = mkdtempSync(join(tmpdir(), 'corral-test-'));
  try {
    const results: Totals[] = [];
    for (const name of selected) results.push(await counted(() => suites[name](folder, args)));
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
      : problem(
          `There is no suite "${first}": run npm test, npm test -- unit or npm test -- e2e, then arguments for the runner.`,
        );

for (const sentence of totals.problems) process.stdout.write(`\nfailed: ${sentence}\n`);
process.stdout.write(`\n${totalsLine(totals)}\n`);
process.exitCode = totals.failed === 0 ? 0 : 1;
