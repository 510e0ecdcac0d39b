import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program of the system that tests or benches need and npm does not bring. */
export interface SystemProgram {
  /** Under which file names it is looked for on the path, in this order. */
  readonly names: readonly string[];
  /** Where it is besides. */
  readonly places: readonly string[];
  /** Arguments with which it does nothing but end well. */
  readonly probe: readonly string[];
  /** The variable that decides alone where it is set. */
  readonly variable: string;
  readonly debianPackage: string;
  /** Who needs it, and what it is, such as "The browser tests need Chromium or Chrome". */
  readonly need: string;
}

/**
 * The path of a program that runs. Its variable decides alone where it is set; else the usual names and places are tried,
 * and then Debian's package is installed where this user may. Throws one sentence that says what to install.
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

/** The first on the path or in a usual place that runs; undefined where there is none. */
export function findOnSystem(program: SystemProgram, env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = program.names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...program.places].find((path) => existsSync(path) && runs(program, path));
}

// A file of that name may be a stub (Ubuntu's package points to a snap), so only an answer counts.
function runs({ probe }: SystemProgram, path: string): boolean {
  return spawnSync(path, probe, { stdio: 'ignore', timeout: 30_000 }).status === 0;
}

function install({ debianPackage, need }: SystemProgram, env: NodeJS.ProcessEnv): boolean {
  if (process.getuid?.() !== 0) return false;
  const aptGet = (...args: string[]): boolean =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 2, 2],
      // A program that is wanted for tests alone must not begin to serve this machine.
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    }).status === 0;
  if (!aptGet('--version')) return false;
  process.stderr.write(`${need}: installing the package ${debianPackage} ...\n`);
  return aptGet('-qq', 'update') && aptGet('-qq', 'install', '-y', '--no-install-recommends', debianPackage);
}
