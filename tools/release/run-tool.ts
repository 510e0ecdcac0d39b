import { spawnSync } from 'node:child_process';

/** Deletes a folder, but nothing of what is mounted below it: there may be the devices of this machine. What it leaves it says itself, and never throws. */
export function removeTree(path: string): void {
  spawnSync('rm', ['-rf', '--one-file-system', path], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Runs a program to its end and returns its output; throws an Error with what it said when it fails. */
export function runTool(
  program: string,
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw new Error(`${program} could not be started: ${error.message}.`);
  if (status !== 0)
    throw new Error(`${[program, ...args].join(' ')} ended with ${status}:\n${stderr || stdout}`);
  return stdout;
}
