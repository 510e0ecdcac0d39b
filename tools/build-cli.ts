import { join } from 'node:path';
import { buildProgram, versionOf } from './build-program.ts';
import { buildWhenStale } from './build-when-stale.ts';

/**
 * Builds cli/dist/corral.mjs if it is missing or its sources changed: the command line and its libraries in one file,
 * for machines that have only Node.js 20 or newer. Rejects when the build fails.
 */
export function buildCliWhenStale(): Promise<void> {
  return buildWhenStale({
    name: 'command line',
    packages: ['cli', 'contract', 'client', 'multiplex'],
    scripts: [import.meta.filename, join(import.meta.dirname, 'build-program.ts')],
    output: 'cli/dist',
    into: (target) =>
      buildProgram(
        {
          name: 'corral',
          entry: 'cli/src/main.ts',
          define: { corralVersion: JSON.stringify(versionOf('cli')) },
        },
        join(target, 'corral.mjs'),
      ),
  });
}
