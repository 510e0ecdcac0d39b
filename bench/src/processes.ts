import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program in a process of its own. */
export interface Program {
  readonly pid: number;
  /** Waits for the next line that matches and resolves with the first group. */
  waitForLine(pattern: RegExp): Promise<string>;
  /** Calls a listener for each further line. */
  onLine(listener: (line: string) => void): void;
  /** Writes a line to its standard input. */
  writeLine(line: string): void;
  /** Resolves when it has exited with code 0; rejects otherwise. */
  waitForExit(): Promise<void>;
  /** Resolves with its exit code and its output once it has ended; the code is null after a signal. */
  ended(): Promise<{ readonly code: number | null; readonly output: string }>;
  stop(): Promise<void>;
}

/** Node's options for the hub, as `npm start` passes them; anchors get the same, so that only the programs differ. */
const nodeOptions = ['--max-semi-space-size=8'];

/** The version of the hub that is measured. */
export async function versionOfHub(): Promise<string> {
  const { output } = await startProgram('hub/src/main.ts', ['--version']).ended();
  return /\d+\.\d+\.\d+/.exec(output)?.[0] ?? 'of an unknown version';
}

/** Where programs of the checkout are in the folder of a release. */
const inRelease: Readonly<Record<string, string>> = {
  'hub/src/main.ts': 'hub/src/main.js',
  'agent/bin/corral-agent.cjs': 'agent/dist/corral-agent.mjs',
  'cli/bin/corral.cjs': 'cli/dist/corral.mjs',
};

/** The folder of a release whose hub, agent and command line are measured; undefined for those of the checkout. */
let release: string | undefined;

/** Measures the programs of an unpacked release from now on. */
export function measureRelease(folder: string): void {
  release = resolve(folder);
}

/** Starts a script below the repository's root, or that of the release which is measured. */
export function startProgram(
  path: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Program {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  // Agents and command lines run without options, as users start them.
  const options = /^(?:hub|bench)\//.test(path) ? nodeOptions : [];
  const released = inRelease[path];
  if (release === undefined || released === undefined)
    return startExecutable(process.execPath, [...options, file, ...args], env, path);
  const node = join(release, 'node/bin/node');
  return startExecutable(node, [...options, join(release, released), ...args], env, path);
}

/** Starts any program; `name` is its name in error messages. */
export function startExecutable(
  file: string,
  args: readonly string[],
  env: Record<string, string> = {},
  name = file,
): Program {
  const child = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
  });
  return programOf(child, name);
}

function programOf(child: ChildProcess, path: string): Program {
  const lines: string[] = [];
  const closed = once(child, 'close');
  // A program that could not be started is reported by whoever waits for it.
  closed.catch(() => undefined);
  const waiting = new Set<() => void>();
  const listeners = new Set<(line: string) => void>();
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      for (const listener of listeners) listener(line);
      for (const scan of waiting) scan();
    });
  }
  return {
    pid: child.pid ?? 0,
    waitForLine: (pattern) => waitFor(child, path, lines, waiting, pattern),
    onLine: (listener) => void listeners.add(listener),
    writeLine: (line) => void child.stdin?.write(`${line}\n`),
    async waitForExit() {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      if (child.exitCode !== 0) throw new Error(`${path} failed:\n${lines.join('\n')}`);
    },
    async ended() {
      await closed;
      return { code: child.exitCode, output: lines.join('\n') };
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function waitFor(
  child: ChildProcess,
  path: string,
  lines: string[],
  waiting: Set<() => void>,
  pattern: RegExp,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error(`${path} ended early:\n${lines.join('\n')}`));
    const scan = (): void => {
      const index = lines.findIndex((line) => pattern.test(line));
      if (index < 0) return;
      waiting.delete(scan);
      child.off('exit', fail);
      const found = pattern.exec(lines[index] ?? '')?.[1] ?? '';
      lines.splice(0, index + 1);
      resolve(found);
    };
    waiting.add(scan);
    child.once('exit', fail);
    scan();
  });
}

/** Lets a program run only while nothing else wants a processor (Linux): it stands for machines of its own. */
export function yieldProcessors({ pid }: Program): void {
  execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', `${pid}`]);
}

/** The resident memory of a process in bytes (Linux). */
export function residentBytes(pid: number): number {
  const kibibytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}

/** The most resident memory that a process has had, in bytes (Linux); undefined once it has ended. */
export function peakBytes(pid: number): number | undefined {
  try {
    const kibibytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}

/** The processor time that a process has used, with all of its threads, in seconds (Linux). */
export function processorSecs(pid: number): number {
  const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = afterName.split(' ');
  // The kernel counts in hundredths of a second for programs, whatever its own clock does.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Waits for memory to settle or for a load to run. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
