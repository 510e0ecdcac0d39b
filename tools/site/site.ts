// `npm run site`: builds the documentation site and serves it, with a list of this one version, until it is stopped.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { versionOf } from '../release/prepare.ts';
import { repositoryRoot } from '../source-files.ts';
import { buildSite } from './build-site.ts';
import { serveFolder } from './serve-folder.ts';

const { values } = parseArgs({ options: { port: { type: 'string' } } });
const version = versionOf(repositoryRoot);
const folder = mkdtempSync(join(tmpdir(), 'corral-site-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await buildSite(join(folder, version), version);
writeFileSync(join(folder, 'versions.json'), `${JSON.stringify([version])}\n`);
const { url } = await serveFolder(folder, Number(values.port ?? 0));
process.stdout.write(`\n  The documentation is at ${url}/${version}/\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
