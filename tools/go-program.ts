import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findOnSystem } from './system-program.ts';

/** A program that is built from its Go module, which Go's checksum database verifies. */
export interface GoProgram {
  readonly name: string;
  /** The path of the package. */
  readonly module: string;
  readonly version: string;
  /** The least version of Go that builds it. */
  readonly neededGo: readonly [number, number];
  /** What needs it, such as "The tests of S3 need versitygw". */
  readonly need: string;
}

/** The path of the program in the user's cache folder, where it is built once. Undefined without such a Go. Throws one sentence if the build fails. */
export function findOrBuildGoProgram(
  { name, module, version, neededGo, need }: GoProgram,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const folder = goProgramFolder(name, version, env);
  const program = join(folder, name);
  if (existsSync(program)) return program;
  const go = findGo(need, neededGo, env);
  if (go === undefined) return undefined;
  process.stderr.write(`${need}: building version ${version} ...\n`);
  mkdirSync(folder, { recursive: true });
  const building = mkdtempSync(join(folder, 'building-'));
  try {
    const { status } = spawnSync(go, ['install', `${module}@v${version}`], {
      stdio: ['ignore', 2, 2],
      env: { ...env, GOBIN: building, GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
    });
    if (status !== 0)
      throw new Error(`${need} ${version}, which could not be built: see Go's message above.`);
    // Go names it after its package.
    const [built = ''] = readdirSync(building);
    renameSync(join(building, built), program);
    return program;
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

/** The folder of a version of a program in the user's cache folder. */
export function goProgramFolder(name: string, version: string, env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), `corral/${name}-${version}`);
}

/** The path of a recent enough Go; undefined without one. */
export function findGo(
  need: string,
  neededGo: readonly [number, number],
  env: NodeJS.ProcessEnv,
): string | undefined {
  const go = findOnSystem(
    {
      names: ['go'],
      places: ['/usr/local/go/bin/go', '/usr/lib/go/bin/go'],
      probe: ['version'],
      variable: 'CORRAL_GO',
      debianPackage: 'golang-go',
      need,
    },
    env,
  );
  return go !== undefined && isRecent(go, neededGo) ? go : undefined;
}

function isRecent(go: string, neededGo: readonly [number, number]): boolean {
  const { stdout } = spawnSync(go, ['env', 'GOVERSION'], {
    encoding: 'utf8',
    env: { ...process.env, GOTOOLCHAIN: 'local' },
  });
  const [major = 0, minor = 0] = stdout.replace(/^go/, '').split('.').map(Number);
  return major > neededGo[0] || (major === neededGo[0] && minor >= neededGo[1]);
}
