// `npm run bench [names]`: measures the named sections, or all, and prints their lines.
import { cpus, totalmem } from 'node:os';
import { chooseSections, sections } from './sections.ts';
import { openSite } from './site.ts';
import { table, type Line } from './table.ts';

const names = chooseSections(process.argv.slice(2));
if (names === undefined) {
  process.stderr.write(`Name sections to measure, or none for all: ${Object.keys(sections).join(', ')}.\n`);
  process.exit(1);
}

const lines: Line[] = [];
const site = await openSite();
try {
  for (const name of names) {
    const startedAt = performance.now();
    const problem = await sections[name](site).then(
      (more) => void lines.push(...more),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    process.stderr.write(
      `${problem === undefined ? 'measured' : 'FAILED'} ${name} (${seconds} s) ${problem ?? ''}\n`,
    );
    // What else was asked for is measured all the same, on a hub that knows nothing of the failure.
    if (problem === undefined) continue;
    process.exitCode = 1;
    await site.restart();
  }
} finally {
  await site.stop();
}

const [processor] = cpus();
process.stdout.write(
  `\n${cpus().length} × ${processor?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}\n\n`,
);
process.stdout.write(`${table(lines)}\n`);
