import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../source-files.ts';
import { makePostgresPackage, postgresPackage } from './make-folder.ts';
import { platforms, postgresVersion } from './platforms.ts';
import { runTool } from './run-tool.ts';
import { writeJson } from './write-json.ts';

const files = join(import.meta.dirname, 'files');

/** Makes the npm packages of a release below a working folder, and packs them into another one. */
export function makeNpmPackages(work: string, app: string, version: string, into: string): void {
  const packages = [
    hubPackage(join(work, 'corral-hub'), app, version),
    programPackage(join(work, 'corral'), app, version, 'cli/dist/corral.mjs', 'The command line of Corral.'),
    programPackage(
      join(work, 'corral-agent'),
      app,
      version,
      'agent/dist/corral-agent.mjs',
      'The agent of Corral: connects a device to its hub.',
    ),
    ...platforms.map((platform) => {
      const folder = join(work, postgresPackage(platform));
      makePostgresPackage(folder, platform);
      return folder;
    }),
  ];
  for (const folder of packages)
    runTool('npm', ['pack', folder, '--pack-destination', into, '--silent', '--ignore-scripts'], work);
}

function hubPackage(folder: string, app: string, version: string): string {
  cpSync(app, folder, { recursive: true });
  mkdirSync(join(folder, 'bin'));
  cpSync(join(files, 'corral-hub.cjs'), join(folder, 'bin/corral-hub.cjs'));
  describe(folder, {
    name: 'corral-hub',
    version,
    description: 'A self-hosted hub for connected devices and the software they run.',
    bin: { 'corral-hub': 'bin/corral-hub.cjs' },
    engines: { node: '>=22.19' },
    dependencies: { '@node-rs/argon2': versionOfLibrary('@node-rs/argon2') },
    optionalDependencies: Object.fromEntries(
      platforms.map((platform) => [postgresPackage(platform), postgresVersion]),
    ),
  });
  return folder;
}

/** A package of a program that is one file. */
function programPackage(folder: string, app: string, version: string, file: string, doc: string): string {
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  mkdirSync(folder, { recursive: true });
  cpSync(join(app, file), join(folder, `${name}.mjs`));
  for (const path of ['LICENSE', 'CHANGELOG.md']) cpSync(join(app, path), join(folder, path));
  describe(folder, {
    name,
    version,
    description: doc,
    bin: { [name]: `${name}.mjs` },
    engines: { node: '>=20' },
  });
  return folder;
}

function describe(folder: string, description: Record<string, unknown>): void {
  const name = String(description['name']);
  cpSync(join(files, `${name}.md`), join(folder, 'README.md'));
  writeJson(join(folder, 'package.json'), { ...description, license: 'Apache-2.0', type: 'module' });
}

function versionOfLibrary(name: string): string {
  const text = readFileSync(join(repositoryRoot, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
