import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildWhenStale } from './build-when-stale.ts';
import { runCollecting } from './run.ts';
import { repositoryRoot } from './source-files.ts';

const bundler = join(import.meta.dirname, 'bundle-console.ts');

/** Builds console/dist if it is missing or its sources changed. Rejects with the build's output when it fails. */
export function buildConsoleWhenStale(): Promise<void> {
  return buildWhenStale({
    name: 'console',
    packages: ['console', 'contract', 'client'],
    scripts: [import.meta.filename, bundler, join(import.meta.dirname, 'licence-notices.ts')],
    output: 'console/dist',
    into: build,
  });
}

async function build(target: string): Promise<void> {
  const outcome = await runCollecting(process.execPath, [bundler, target], join(repositoryRoot, 'console'));
  if (outcome.code !== 0 || !existsSync(join(target, 'index.html')))
    throw new Error(`The console could not be built:\n${outcome.output.trim()}`);
}
