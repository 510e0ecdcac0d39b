import { cpus, release as kernel, totalmem } from 'node:os';
import { table, type Line } from './table.ts';

/** A section that was measured, or why it could not be. */
export interface Measured {
  readonly name: string;
  readonly lines: readonly Line[];
  readonly problem?: string;
}

/** Processors, memory and Node.js of this machine. */
export function machine(): string {
  const [processor] = cpus();
  return `${cpus().length} × ${processor?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}

/** The lines as a document: what was measured, of which version, where, when, and how to measure it again. */
export function page(
  measured: readonly Measured[],
  of: { version: string; words: readonly string[] },
): string {
  const date = new Date().toISOString().slice(0, 10);
  const sections = measured.map(({ name, lines, problem }) =>
    [`## ${name}`, problem === undefined ? table(lines) : `Not measured: ${problem}`].join('\n\n'),
  );
  return `${[
    '# Benchmarks',
    `Corral ${of.version} on ${date}: ${machine()}, Linux ${kernel()}. The hub shares the machine with PostgreSQL and with the simulated devices and callers. An anchor is another program that does the same work, measured in the same run. [Sizing](sizing.md) says what to make of it.`,
    `\`\`\`sh\nnpm run bench -- --of corral-hub-${of.version}-linux-${process.arch} ${of.words.join(' ')}\n\`\`\``,
    'The words after the folder name what is measured; each heading is such a name. Without `--of`, the checkout is measured.',
    ...sections,
  ].join('\n\n')}\n`;
}
