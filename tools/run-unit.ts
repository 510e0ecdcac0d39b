import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secondsByFile } from './durations.ts';
import { runAndPrint, runVisibly } from './run.ts';
import { repositoryRoot } from './source-files.ts';
import { joinOutcomes, outcomeOfRun, outcomeOfVitest, type SuiteOutcome } from './totals.ts';

/** Groups of vitest projects that run concurrently: tests of the hub often wait for processes and timers, while the others use the processor. */
const concurrentGroups = [
  { name: 'hub', args: ['--project=hub', '--project=hub, isolated'], run: runVisibly },
  { name: 'others', args: ['--project=node', '--project=console', '--maxWorkers=1'], run: runAndPrint },
] as const;

/** Runs vitest and prints its output; writes the reports to `folder`. With arguments, which select tests, it runs vitest once for all projects. */
export async function runUnit(
  folder: string,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Promise<SuiteOutcome> {
  const env = { ...process.env, ...more };
  if (args.length > 0) return runVitest('unit', folder, { args, run: runVisibly, env });
  return joinOutcomes(
    await Promise.all(
      concurrentGroups.map(({ name, ...part }) =>
        runVitest(`unit (${name})`, join(folder, name), { ...part, env }),
      ),
    ),
  );
}

interface VitestRun {
  readonly args: readonly string[];
  readonly run: typeof runVisibly;
  readonly env: NodeJS.ProcessEnv;
}

async function runVitest(
  suite: string,
  reports: string,
  { args, run, env }: VitestRun,
): Promise<SuiteOutcome> {
  mkdirSync(reports, { recursive: true });
  const report = join(reports, 'vitest.json');
  const secondsFile = join(reports, 'seconds.json');
  const command = [
    join(repositoryRoot, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--allowOnly=false',
    '--reporter=default',
    '--reporter=json',
    '--reporter=./tools/file-seconds-reporter.ts',
    `--outputFile.json=${report}`,
    ...args,
  ];
  const code = await run(process.execPath, command, { ...env, CORRAL_FILE_SECONDS: secondsFile });
  const outcome = outcomeOfRun(suite, code, report, outcomeOfVitest);
  return { ...outcome, fileSeconds: readSeconds(secondsFile) };
}

function readSeconds(path: string): ReadonlyMap<string, number> {
  if (!existsSync(path)) return new Map();
  return secondsByFile(JSON.parse(readFileSync(path, 'utf8')) as [string, number][]);
}
