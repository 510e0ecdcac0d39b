import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildAgentWhenStale } from '../build-agent.ts';
import { buildCliWhenStale } from '../build-cli.ts';
import { buildConsoleWhenStale } from '../build-console.ts';
import { repositoryRoot } from '../source-files.ts';
import { bundleHub } from './bundle-hub.ts';

/** What is copied; the history of decisions, and what builds note for themselves in hidden files, are for developers. */
const delivered = [
  'console/dist',
  'agent/dist',
  'cli/dist',
  'docs',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
] as const;

/**
 * Makes what is the same on all platforms: hub, console, agent and command line as JavaScript, their documents and licences, in the layout of the
 * repository, in which the hub finds them.
 */
export async function makeApp(folder: string, version: string): Promise<void> {
  await buildAgentWhenStale();
  await buildCliWhenStale();
  await buildConsoleWhenStale();
  mkdirSync(folder, { recursive: true });
  await bundleHub(folder, version);
  for (const path of delivered)
    cpSync(join(repositoryRoot, path), join(folder, path), {
      recursive: true,
      filter: (source) => !basename(source).startsWith('.') && basename(source) !== 'decisions',
    });
  mkdirSync(join(folder, 'agent/bin'));
  writeFileSync(join(folder, 'agent/bin/corral-agent.cjs'), `import('../dist/corral-agent.mjs');\n`);
}
