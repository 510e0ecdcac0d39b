import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program of ours in a process of its own. */
export interface Program {
  readonly pid: number;
  /** Waits for the next line that matches and answers the first group. */
  said(pattern: RegExp): Promise<string>;
  /** Gives each further line to a listener. */
  onLine(listener: (line: string) => void): void;
  /** Hands it a line. */
  tell(line: string): void;
  /** Fulfilled when it has ended by itself, well. */
  ended(): Promise<void>;
  stop(): Promise<void>;
}

/** How the hub's process is tuned (`npm start` passes the same); anchors get it as well, so that only the programs differ. */
const nodeOptions = ['--max-semi-space-size=8'];

/** Starts a script below the repository's root. */
export function startProgram(
  path: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Program {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  // Agents and command lines run as they come.
  const options = /^(?:hub|bench)\//.test(path) ? nodeOptions : [];
  return startExecutable(process.execPath, [...options, file, ...args], env, path);
}

/** Starts any program; `name` is what it is called when it fails. */
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
  const waiting = new Set<() => void>();
  const listeners = new Set<(line: string) => void>();
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      for (const listener of listeners) listener(line);
      for (const look of waiting) look();
    });
  }
  return {
    pid: child.pid ?? 0,
    said: (pattern) => waitFor(child, path, lines, waiting, pattern),
    onLine: (listener) => void listeners.add(listener),
    tell: (line) => void child.stdin?.write(`${line}\n`),
    async ended() {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      if (child.exitCode !== 0) throw new Error(`${path} failed:\n${lines.join('\n')}`);
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
    const look = (): void => {
      const index = lines.findIndex((line) => pattern.test(line));
      if (index < 0) return;
      waiting.delete(look);
      child.off('exit', fail);
      const found = pattern.exec(lines[index] ?? '')?.[1] ?? '';
      lines.splice(0, index + 1);
      resolve(found);
    };
    waiting.add(look);
    child.once('exit', fail);
    look();
  });
}

/** The memory that a process holds, in bytes (Linux). */
export function residentBytes(pid: number): number {
  const kibibytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}

/** Lets time pass, so that memory settles or a load goes on. */
export function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
