import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** The exit code and the outputs of a hub, or of one of its commands, that has ended. */
export interface HubOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the hub as an operator does, to its end, with these arguments and nothing else of the environment. */
export async function runHub(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<HubOutcome> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (texts[name] += text));
  await once(child, 'close');
  return { code: child.exitCode, ...texts };
}
