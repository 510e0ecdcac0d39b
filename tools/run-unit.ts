import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secondsByFile } from './durations.ts';
import { runVisibly } from './run.ts';
import { repositoryRoot } from './source-files.ts';
import { outcomeOfRun, outcomeOfVitest, type SuiteOutcome } from './totals.ts';

/** Runs vitest with its output visible; the reports are written to `folder`. */
export async function runUnit(
  folder: string,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Promise<SuiteOutcome> {
  const report = join(folder, 'vitest.json');
  const secondsFile = join(folder, 'seconds.json');
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
  const env = { ...process.env, ...more, CORRAL_FILE_SECONDS: secondsFile };
  const code = await runVisibly(process.execPath, command, env);
  const outcome = outcomeOfRun('unit', code, report, outcomeOfVitest);
  return { ...outcome, fileSeconds: readSeconds(secondsFile) };
}

function readSeconds(path: string): ReadonlyMap<string, number> {
  if (!existsSync(path)) return new Map();
  return secondsByFile(JSON.parse(readFileSync(path, 'utf8')) as [string, number][]);
}
