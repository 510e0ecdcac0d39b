import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram, versionOf } from './build-program.ts';
import { buildWhenStale } from './build-when-stale.ts';
import { repositoryRoot } from './source-files.ts';

/**
 * Builds agent/dist/corral-agent.mjs if it is missing or its sources changed: the agent and its libraries in one file,
 * for devices that have only Node.js 20 or newer. Rejects when the build fails.
 */
export function buildAgentWhenStale(): Promise<void> {
  return buildWhenStale({
    name: 'agent',
    packages: ['agent', 'contract', 'client', 'multiplex'],
    scripts: [import.meta.filename, join(import.meta.dirname, 'build-program.ts')],
    output: 'agent/dist',
    into: (target) =>
      buildProgram(
        {
          name: 'corral-agent',
          entry: 'agent/src/main.ts',
          define: {
            corralVersion: JSON.stringify(versionOf('agent')),
            corralKit: JSON.stringify(kitFiles()),
          },
        },
        join(target, 'corral-agent.mjs'),
      ),
  });
}

/** The device kit, which the agent carries in itself. */
function kitFiles(): Record<string, string> {
  const folder = join(repositoryRoot, 'agent/kit');
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}
