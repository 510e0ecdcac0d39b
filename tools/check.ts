// `npm run check`: types, dead code, generated files, lint and import rules, format, protocol rules, product texts, files.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { checkFiles } from './file-rules.ts';
import type { Finding } from './file-rules.ts';
import { lint } from './lint.ts';
import { runCollecting } from './run.ts';
import { repositoryRoot } from './source-files.ts';
import { checkSpecRules } from './spec-rules.ts';
import { checkSpecSentences } from './spec-sentences.ts';

interface Result {
  ok: boolean;
  /** Shown below the step's line; may be empty. */
  details: string;
}

interface Step {
  name: string;
  /** How to fix a failure, where the details do not say it. */
  advice?: string;
  run: () => Promise<Result>;
}

const bin = (path: string): string => join(repositoryRoot, 'node_modules', path);

/** A step that runs an installed program. It passes on exit code 0; otherwise the program's output is shown. */
const program =
  (script: string, ...args: string[]) =>
  async (): Promise<Result> => {
    const { code, output } = await runCollecting(process.execPath, [script, ...args]);
    return { ok: code === 0, details: code === 0 ? '' : output.trim() };
  };

const findings = (found: Finding[]): Result => ({
  ok: found.every(({ severity }) => severity === 'warning'),
  details: found
    .map(({ severity, place, message }) => `${place}  ${severity === 'warning' ? 'warning: ' : ''}${message}`)
    .join('\n'),
});

const tsc = bin('typescript/bin/tsc');

// Longest first, so that the parallel workers finish at about the same time.
const steps: Step[] = [
  { name: 'types', run: program(tsc, '-p', 'tsconfig.json', '--pretty', 'false') },
  { name: 'types of the console', run: program(tsc, '-p', 'console/tsconfig.json', '--pretty', 'false') },
  {
    name: 'dead code',
    advice: 'Delete unused code; list a file that a tool loads by name in knip.json.',
    run: program(bin('knip/bin/knip.js'), '--no-progress', '--treat-config-hints-as-errors'),
  },
  {
    name: 'generated files',
    run: program(join(repositoryRoot, 'tools/generate.ts'), '--check'),
  },
  { name: 'lint and import rules', run: async () => findings(await lint(repositoryRoot)) },
  {
    name: 'format',
    advice: 'Run `npm run format`.',
    run: program(bin('oxfmt/bin/oxfmt'), '--list-different', '.'),
  },
  { name: 'protocol rules', run: async () => findings(checkSpecRules(repositoryRoot)) },
  { name: 'product texts', run: async () => findings(checkSpecSentences(repositoryRoot)) },
  { name: 'files', run: async () => findings(checkFiles(repositoryRoot)) },
];

const indent = (text: string): string => text.replace(/^/gm, '    ');

function report(step: Step, result: Result, seconds: string): void {
  process.stdout.write(`${result.ok ? 'ok    ' : 'FAILED'}  ${step.name}  (${seconds} s)\n`);
  if (result.details !== '') process.stdout.write(`${indent(result.details)}\n`);
  if (!result.ok && step.advice !== undefined) process.stdout.write(`${indent(step.advice)}\n`);
}

async function runStep(step: Step): Promise<boolean> {
  const startedAt = performance.now();
  const result = await step.run().catch((error: unknown): Result => ({ ok: false, details: String(error) }));
  report(step, result, ((performance.now() - startedAt) / 1000).toFixed(1));
  return result.ok;
}

/** Runs the steps, one per core and at most four at a time, and returns the names of those that failed. */
async function runAll(): Promise<string[]> {
  const waiting = [...steps];
  const failed: string[] = [];
  const worker = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift())
      if (!(await runStep(step))) failed.push(step.name);
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker));
  return failed;
}

const failed = await runAll();
process.stdout.write(failed.length === 0 ? '\nAll checks pass.\n' : `\nFailed: ${failed.join(', ')}.\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
