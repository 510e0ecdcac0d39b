// `npm test [unit|e2e] [arguments of the runner]`: runs every test, then prints the seconds of each part, its slowest files, and one line of totals.
import { chmodSync, rmSync } from 'node:fs';
import { durationLines, type PartDuration } from './durations.ts';
import { newMemoryFolder } from './memory-folder.ts';
import { runBrowser } from './run-browser.ts';
import { runUnit } from './run-unit.ts';
import { problem, sum, totalsLine, totalsOf } from './totals.ts';
import type { SuiteOutcome, Totals } from './totals.ts';

const suites = {
  // Databases and assets are in memory, so that no commit waits for a disk.
  unit: (folder: string, args: string[]) => runUnit(folder, args, { TMPDIR: folder }),
  e2e: runBrowser,
};
type SuiteName = keyof typeof suites;
const isSuiteName = (word: string): word is SuiteName => Object.hasOwn(suites, word);

/** Turns an exception of a step into a failure with its message. */
async function outcomeOf(step: () => Promise<SuiteOutcome>): Promise<SuiteOutcome> {
  try {
    return await step();
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error));
  }
}

interface RunOutcome {
  readonly totals: Totals;
  readonly durations: readonly PartDuration[];
}

async function runSelected(selected: SuiteName[], args: string[]): Promise<RunOutcome> {
  const folder = await newMemoryFolder();
  // PostgreSQL runs as another user with folders in it.
  chmodSync(folder, 0o755);
  try {
    const totals: Totals[] = [];
    const durations: PartDuration[] = [];
    for (const name of selected) {
      const startedAt = performance.now();
      const suite = await outcomeOf(() => suites[name](folder, args));
      const seconds = (performance.now() - startedAt) / 1000;
      totals.push(totalsOf(suite));
      durations.push({ part: name, seconds, fileSeconds: suite.fileSeconds ?? new Map() });
    }
    return { totals: sum(totals), durations };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function unknownSuite(name: string): RunOutcome {
  const sentence = `There is no suite "${name}": run npm test, npm test -- unit or npm test -- e2e, then arguments for the runner.`;
  return { totals: totalsOf(problem(sentence)), durations: [] };
}

function run([first, ...rest]: string[]): Promise<RunOutcome> | RunOutcome {
  if (first === undefined) return runSelected(['unit', 'e2e'], []);
  return isSuiteName(first) ? runSelected([first], rest) : unknownSuite(first);
}

const { totals, durations } = await run(process.argv.slice(2));
for (const sentence of totals.sentences) process.stdout.write(`\n${sentence}\n`);
process.stdout.write(`\n${durationLines(durations).join('\n')}\n`);
process.stdout.write(`\n${totalsLine(totals)}\n`);
process.exitCode = totals.failed === 0 ? 0 : 1;
