// `npm run bench [names]`: measures the named sections, such as `assets` or `assets/small`, or all, and prints their lines.
// `--of FOLDER` measures an unpacked release, and `--page FILE` writes the lines as a document.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildConsoleWhenStale } from '@corral/tools';
import { machine, page, type Measured } from './page.ts';
import { measureRelease, versionOfHub } from './processes.ts';
import { chooseSections, sectionNames } from './sections.ts';
import { openTestbed } from './testbed.ts';
import { table } from './table.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { of: { type: 'string' }, page: { type: 'string' } },
});
const chosen = chooseSections(positionals);
if (chosen === undefined) {
  process.stderr.write(`Name the sections to measure, or none for all: ${sectionNames.join(', ')}.\n`);
  process.exit(1);
}

if (options.of !== undefined) measureRelease(options.of);
// The hub reads the list of its files when it starts.
if (chosen.some(({ name }) => name === 'console')) await buildConsoleWhenStale();
const measured: Measured[] = [];
const testbed = await openTestbed();
try {
  for (const { name, measure } of chosen) {
    const startedAt = performance.now();
    const result = await measure(testbed).then(
      (lines): Measured => ({ name, lines }),
      (error: unknown): Measured => ({
        name,
        lines: [],
        problem: error instanceof Error ? error.message : String(error),
      }),
    );
    measured.push(result);
    const { problem } = result;
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
      (error: unknown) => {
        process.stderr.write(`No further section: ${String(error)}\n`);
        return false;
      },
    );
    if (!canGoOn) break;
  }
} finally {
  await testbed.stop();
}

if (options.page !== undefined)
  writeFileSync(options.page, page(measured, { version: await versionOfHub(), words: positionals }));
const lines = measured.flatMap((section) => section.lines);
// A section that failed may have left connections open.
process.stdout.write(`\n${machine()}\n\n${table(lines)}\n`, () => process.exit());
