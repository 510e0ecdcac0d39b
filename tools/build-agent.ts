import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildWhenStale } from './build-when-stale.ts';
import { runCollecting } from './run.ts';
import { repositoryRoot } from './source-files.ts';

const file = 'corral-agent.mjs';

/**
 * Builds agent/dist/corral-agent.mjs where that is missing or was built from other sources: the agent with all its libraries in one file,
 * for devices with Node.js 20 or newer and nothing else. Rejected with the build's own output where it fails.
 */
export function buildAgentWhenStale(): Promise<void> {
  return buildWhenStale({
    name: 'agent',
    rooms: ['agent', 'contract', 'client', 'multiplex'],
    script: import.meta.filename,
    output: 'agent/dist',
    into: build,
  });
}

// Runs before the agent itself: says what is missing on an old Node, and gives Node 20 the one function that it lacks.
const banner = `#!/usr/bin/env node
if (Number(process.versions.node.split('.')[0]) < 20) {
  process.stderr.write('corral-agent needs Node.js 20 or newer; this is ' + process.version + '.\\n');
  process.exit(1);
}
Promise.withResolvers ??= function () {
  let resolve, reject;
  const promise = new this((yes, no) => { resolve = yes; reject = no; });
  return { promise, resolve, reject };
};`;

async function build(target: string): Promise<void> {
  const rolldown = join(repositoryRoot, 'node_modules/rolldown/bin/cli.mjs');
  const args = [rolldown, 'agent/src/main.ts', '--file', join(target, file)];
  const form = [
    '--format',
    'esm',
    '--platform',
    'node',
    '--transform.target',
    'node20',
    '--no-codeSplitting',
  ];
  const outcome = await runCollecting(process.execPath, [
    ...args,
    ...form,
    '--minify',
    '--postBanner',
    banner,
  ]);
  if (outcome.code !== 0 || !existsSync(join(target, file)))
    throw new Error(`The agent could not be built:\n${outcome.output.trim()}`);
}
