import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findOnSystem } from './system-program.ts';

const version = '1.7.0';
const module = `github.com/versity/versitygw/cmd/versitygw@v${version}`;
const neededGo = [1, 25] as const;

/**
 * The path of versitygw, an S3-compatible server for tests, in the pinned version; Go's checksum database verifies it. It is built
 * once, in about 90 seconds, in the user's cache folder. Undefined without Go 1.25 or newer. Throws one sentence if the build fails.
 */
export function findOrBuildVersitygw(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folder = join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), `corral/versitygw-${version}`);
  const program = join(folder, 'versitygw');
  if (existsSync(program)) return program;
  const go = findGo(env);
  if (go === undefined) return undefined;
  process.stderr.write(`Building versitygw ${version} for the tests of S3 ...\n`);
  mkdirSync(folder, { recursive: true });
  const building = mkdtempSync(join(folder, 'building-'));
  try {
    const { status } = spawnSync(go, ['install', module], {
      stdio: ['ignore', 2, 2],
      env: { ...env, GOBIN: building, GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
    });
    if (status !== 0)
      throw new Error(
        `The tests of S3 need versitygw ${version}, which could not be built: see Go's message above.`,
      );
    renameSync(join(building, 'versitygw'), program);
    return program;
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

function findGo(env: NodeJS.ProcessEnv): string | undefined {
  const go = findOnSystem(
    {
      names: ['go'],
      places: ['/usr/local/go/bin/go', '/usr/lib/go/bin/go'],
      probe: ['version'],
      variable: 'CORRAL_GO',
      debianPackage: 'golang-go',
      need: 'The tests of S3 need Go',
    },
    env,
  );
  return go !== undefined && isRecent(go) ? go : undefined;
}

function isRecent(go: string): boolean {
  const { stdout } = spawnSync(go, ['env', 'GOVERSION'], {
    encoding: 'utf8',
    env: { ...process.env, GOTOOLCHAIN: 'local' },
  });
  const [major = 0, minor = 0] = stdout.replace(/^go/, '').split('.').map(Number);
  return major > neededGo[0] || (major === neededGo[0] && minor >= neededGo[1]);
}
