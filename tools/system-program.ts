import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A system program that tests or benchmarks need and npm does not install. */
export interface SystemProgram {
  /** File names to look for in PATH, in this order. */
  readonly names: readonly string[];
  /** Further absolute paths to try. */
  readonly places: readonly string[];
  /** Arguments with which it exits successfully at once, such as --version. */
  readonly probe: readonly string[];
  /** The environment variable that overrides the search. */
  readonly variable: string;
  readonly debianPackage: string;
  /** What needs it, such as "The browser tests need Chromium or Chrome". */
  readonly need: string;
}

/**
 * The path of a program that works. If its variable is set, only that path is tried; otherwise the well-known names and folders,
 * and then Debian's package is installed if this user may. Throws one sentence that says what to install.
 */
export function findOrInstall(program: SystemProgram, env: NodeJS.ProcessEnv = process.env): string {
  const { variable, debianPackage, need } = program;
  const named = env[variable];
  if (named) {
    if (runs(program, named)) return named;
    throw new Error(`${variable} names ${named}, which does not run. ${need}: set it to the path of one.`);
  }
  const found =
    findOnSystem(program, env) ?? (install(program, env) ? findOnSystem(program, env) : undefined);
  if (found !== undefined) return found;
  throw new Error(
    `${need}: install it (Debian: apt-get install ${debianPackage}) or set ${variable} to its path.`,
  );
}

/** The first working program in PATH or a well-known folder, or undefined. */
export function findOnSystem(program: SystemProgram, env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = program.names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...program.places].find((path) => existsSync(path) && runs(program, path));
}

// A file of that name may be a stub (Ubuntu's package points to a snap), so the program has to run.
function runs({ probe }: SystemProgram, path: string): boolean {
  return spawnSync(path, probe, { stdio: 'ignore', timeout: 30_000 }).status === 0;
}

function install({ debianPackage, need }: SystemProgram, env: NodeJS.ProcessEnv): boolean {
  if (process.getuid?.() !== 0) return false;
  const aptGet = (...args: string[]): boolean =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 2, 2],
      // The package must not start a service on this machine.
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    }).status === 0;
  if (!aptGet('--version')) return false;
  process.stderr.write(`${need}: installing the package ${debianPackage} ...\n`);
  return (
    aptGet('-qq', 'update') &&
    aptGet('-qq', 'install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', debianPackage)
  );
}
