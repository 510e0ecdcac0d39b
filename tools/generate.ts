// `node tools/launch.cjs generate [--check]`: writes the generated files, or with --check lists those that are out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionIndexes } from './action-index.ts';
import { queryTopics } from './query-topics.ts';
import { routeTree } from './route-tree.ts';
import { schemaText } from './schema-text.ts';
import { repositoryRoot } from './source-files.ts';

interface Generated {
  file: string;
  /** The text of the file, derived only from sources in this repository. */
  make: () => Promise<string>;
}

/** Every generated and committed file of the repository. */
const generated: Generated[] = [
  { file: 'contract/src/query-topics.gen.ts', make: queryTopics },
  ...actionIndexes,
  { file: 'console/src/route-tree.gen.ts', make: routeTree },
  { file: 'hub/src/platform/db/schema.sql', make: schemaText },
  { file: 'docs/openapi.json', make: openApi },
  { file: 'docs/configuration.md', make: () => pageOfHub('configurationPage') },
  { file: 'docs/metrics.md', make: () => pageOfHub('metricsPage') },
  { file: 'SECURITY.md', make: securityPage },
];

async function openApi(): Promise<string> {
  const { openApiDocument } = await import('@corral/contract');
  return `${JSON.stringify(openApiDocument(productVersion()), null, 2)}\n`;
}

async function pageOfHub(name: string): Promise<string> {
  const hub: Record<string, unknown> = await import('@corral/hub');
  const page = hub[name];
  if (typeof page !== 'function') throw new Error(`@corral/hub must export ${name}(), the page as Markdown`);
  return String(page());
}

/** The page as it is, with the tables of limits between their two comments. */
async function securityPage(): Promise<string> {
  const [begin, end] = [/^<!-- Generated from hub.src.limits.*-->$/m, '<!-- End of the limits -->'];
  const text = current('SECURITY.md') ?? '';
  const first = begin.exec(text);
  if (first === null) throw new Error('SECURITY.md must have the comments between which the limits stand');
  const from = first.index + first[0].length;
  return `${text.slice(0, from)}\n\n${await pageOfHub('limitTables')}\n\n${text.slice(text.indexOf(end))}`;
}

function productVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}

const current = (file: string): string | undefined =>
  existsSync(join(repositoryRoot, file)) ? readFileSync(join(repositoryRoot, file), 'utf8') : undefined;

/** Writes or checks one file; returns a sentence if it is out of date. */
async function writeOrCheck({ file, make }: Generated, checkOnly: boolean): Promise<string | undefined> {
  try {
    const text = await make();
    if (current(file) === text) return undefined;
    if (checkOnly)
      return `${file}  is out of date: run \`node tools/launch.cjs generate\` and commit the result.`;
    writeFileSync(join(repositoryRoot, file), text);
    process.stdout.write(`wrote ${file}\n`);
    return undefined;
  } catch (error) {
    return `${file}  could not be made: ${(error instanceof Error ? error.message : String(error)).split('\n')[0]}`;
  }
}

const checkOnly = process.argv.includes('--check');
for (const entry of generated) {
  const sentence = await writeOrCheck(entry, checkOnly);
  if (sentence === undefined) continue;
  process.stdout.write(`${sentence}\n`);
  process.exitCode = 1;
}
