import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/corral.mjs', import.meta.url));

/** A well-formed user token. */
export const token = `u_sk_${'t'.repeat(66)}`;

/** The result of a run of the command line. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How the command line is run; of the environment of the tests it gets only the path and the cache of compiled modules. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The working folder; by default one without a configuration file. */
  readonly cwd?: string;
  /** Its standard input. */
  readonly input?: string;
  /** The file descriptor of its standard output. */
  readonly stdout?: number;
  /** When it is fulfilled, the command line gets a SIGINT, as of Ctrl-C. */
  readonly interrupted?: Promise<void>;
}

/** Runs the command line as a child process to its end. */
export async function corral(
  args: readonly string[],
  { env, cwd = '/', input = '', stdout, interrupted }: RunOptions = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      HOME: '/nonexistent',
      ...env,
    },
    stdio: ['pipe', stdout ?? 'pipe', 'pipe'],
  });
  void interrupted?.then(() => child.kill('SIGINT'));
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => (texts[name] += text));
  child.stdin?.on('error', () => undefined).end(input);
  await once(child, 'close');
  return { code: child.exitCode, ...texts };
}
