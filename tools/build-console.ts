import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildWhenStale } from './build-when-stale.ts';
import { runCollecting } from './run.ts';
import { repositoryRoot } from './source-files.ts';

/** Builds console/dist if it is missing or its sources changed. Rejects with the build's output when it fails. */
export function buildConsoleWhenStale(): Promise<void> {
  return buildWhenStale({
    name: 'console',
    rooms: ['console', 'contract', 'client'],
    scripts: [import.meta.filename],
    output: 'console/dist',
    into: build,
  });
}

async function build(target: string): Promise<void> {
  const vite = join(repositoryRoot, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--outDir', target, '--emptyOutDir', '--logLevel', 'warn'];
  const outcome = await runCollecting(process.execPath, args, join(repositoryRoot, 'console'));
  if (outcome.code !== 0 || !existsSync(join(target, 'index.html')))
    throw new Error(`The console could not be built:\n${outcome.output.trim()}`);
}
