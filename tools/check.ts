// `npm run check`: types, lint and import rules, format, dead code, generated files, rules of the protocol, sentences of the product, files.
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
  /** What to show below the step's line; empty where there is nothing to say. */
  details: string;
}

interface Step {
  name: string;
  /** What to do when it fails, where the details alone do not say it. */
  advice?: string;
  run: () => Promise<Result>;
}

const bin = (path: string): string => join(repositoryRoot, 'node_modules', path);

/** A step that is a program of the installed libraries: its exit code decides, its output is shown when it fails. */
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

// The longest first: two at a time, they end together.
const steps: Step[] = [
  { name: 'types', run: program(tsc, '-p', 'tsconfig.json', '--pretty', 'false') },
  { name: 'types of the console', run: program(tsc, '-p', 'console/tsconfig.json', '--pretty', 'false') },
  {
    name: 'dead code',
    advice: 'Delete what nobody uses; a file that a tool loads by its name is an entry in knip.json.',
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
  { name: 'rules of the protocol', run: async () => findings(checkSpecRules(repositoryRoot)) },
  { name: 'sentences of the product', run: async () => findings(checkSpecSentences(repositoryRoot)) },
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

/** Runs the steps, as many at a time as the machine has cores, and returns the names of those that failed. */
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
process.stdout.write(
  failed.length === 0 ? '\nEverything holds.\n' : `\nTo be mended: ${failed.join(', ')}.\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
