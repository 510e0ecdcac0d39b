import { spawn, type ChildProcess } from 'node:child_process';
import { repositoryRoot } from './source-files.ts';

/** A program's exit code and its output. */
export interface Outcome {
  code: number;
  output: string;
}

/** Runs a program in the repository's root without a shell and collects both of its output streams. */
export function runCollecting(executable: string, args: string[], cwd = repositoryRoot): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(executable, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: plainOutput() });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }));
  });
}

/** Runs a program with inherited output, forwards stop signals, and resolves to its exit code. */
export function runVisibly(
  executable: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const child = spawn(executable, args, {
    cwd: repositoryRoot,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return exitCodeOf(child);
}

/** Runs a program like `runVisibly`, but prints its output at the end, so that it does not mix with that of another program. */
export async function runAndPrint(
  executable: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const child = spawn(executable, args, { cwd: repositoryRoot, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  const collect = (chunk: Buffer): void => void chunks.push(chunk);
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const code = await exitCodeOf(child);
  process.stdout.write(Buffer.concat(chunks));
  return code;
}

/** Forwards stop signals until the program ends; resolves to its exit code. */
function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
    process.on('SIGINT', stop).on('SIGTERM', stop);
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve(code ?? 1);
    });
  });
}

// Builds started by tests must not differ from others, so the test runner's mode is removed.
const plainOutput = (): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'production',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
});
