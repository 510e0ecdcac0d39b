// `npm run bench [names]`: measures the named sections, such as `assets` or `assets/small`, or all, and prints their lines.
import { cpus, totalmem } from 'node:os';
import { buildConsoleWhenStale } from '@corral/tools';
import { chooseSections, sectionNames } from './sections.ts';
import { openTestbed } from './testbed.ts';
import { table, type Line } from './table.ts';

const chosen = chooseSections(process.argv.slice(2));
if (chosen === undefined) {
  process.stderr.write(`Name the sections to measure, or none for all: ${sectionNames.join(', ')}.\n`);
  process.exit(1);
}

// The hub reads the list of its files when it starts.
if (chosen.some(({ name }) => name === 'console')) await buildConsoleWhenStale();
const lines: Line[] = [];
const testbed = await openTestbed();
try {
  for (const { name, measure } of chosen) {
    const startedAt = performance.now();
    const problem = await measure(testbed).then(
      (more) => void lines.push(...more),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    process.stderr.write(
      `${problem === undefined ? 'measured' : 'FAILED'} ${name} (${seconds} s) ${problem ?? ''}\n`,
    );
    // The remaining sections are measured on a fresh hub.
    if (problem === undefined) continue;
    process.exitCode = 1;
    // What was measured is printed in any case.
    const canGoOn = await testbed.restart().then(
      () => true,
      () => false,
    );
    if (!canGoOn) break;
  }
} finally {
  await testbed.stop();
}

const [processor] = cpus();
process.stdout.write(
  `\n${cpus().length} × ${processor?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}\n\n`,
);
// A section that failed may have left connections open.
process.stdout.write(`${table(lines)}\n`, () => process.exit());
