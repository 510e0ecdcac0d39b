import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A program of the cluster and how to start it. */
export interface Program {
  readonly name: string;
  readonly executable: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Resolves when it accepts connections. */
  readonly ready: () => Promise<void>;
}

type State = 'running' | 'paused' | 'stopped';

/** A started program. */
interface Running {
  readonly child: ChildProcess;
  /** Resolves with the signal, the exit status, or the reason why it could not be started. */
  readonly ended: Promise<string>;
  state: State;
}

/** Longer than a hub takes to stop. */
const stopTimeoutMs = 40_000;
/** A killed process exits only after the system has freed its memory. */
const killTimeoutMs = 20_000;

/** The programs of a cluster on this machine, each with a log file. */
export class Programs {
  readonly #folder: string;
  readonly #known = new Map<string, Program>();
  readonly #running = new Map<string, Running>();
  /** The names of all programs, in the order of their first start. */
  get names(): string[] {
    return [...this.#known.keys()];
  }

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The log file of a program. */
  logOf(name: string): string {
    return join(this.#folder, `${name}.log`);
  }

  /** Whether a program runs. */
  stateOf(name: string): State {
    return this.#running.get(name)?.state ?? 'stopped';
  }

  /** The process id of a program; undefined while it does not run. */
  pidOf(name: string): number | undefined {
    return this.#running.get(name)?.child.pid;
  }

  /** Starts a program, and resolves when it is ready. Rejects when it ends before. */
  async start(program: Program): Promise<void> {
    const { name, executable, args, env } = program;
    this.#known.set(name, program);
    const log = createWriteStream(this.logOf(name), { flags: 'a' });
    // The fleet exits when its stdin is closed.
    const child = spawn(executable, args, { env: { PATH: process.env['PATH'], ...env }, stdio: 'pipe' });
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    const ended = endOf(child);
    this.#running.set(name, { child, ended, state: 'running' });
    const earlyExit = ended.then((how) => {
      this.#running.delete(name);
      throw new Error(`${name} has ended (${how}); see ${this.logOf(name)}.`);
    });
    earlyExit.catch(() => undefined);
    await Promise.race([program.ready(), earlyExit]);
  }

  /** Restarts a stopped or killed program; does nothing if it runs. */
  async restart(name: string): Promise<void> {
    const program = this.#known.get(name);
    if (program === undefined || this.#running.has(name)) return;
    await this.start(program);
  }

  /** Sends a signal, and waits for the exit unless the signal pauses or resumes. Rejects when the program still runs after 40 s, or 20 s after SIGKILL. */
  async signal(name: string, signal: NodeJS.Signals): Promise<void> {
    const running = this.#running.get(name);
    if (running === undefined) return;
    running.child.kill(signal);
    if (signal === 'SIGSTOP') running.state = 'paused';
    else if (signal === 'SIGCONT') running.state = 'running';
    else if (!(await endsWithin(running.ended, signal === 'SIGKILL' ? killTimeoutMs : stopTimeoutMs)))
      throw new Error(`${name} (${stateOfProcess(running.child.pid)}) has not ended after ${signal}.`);
  }

  /** Stops all programs in reverse order. Rejects after the last one if some still run. */
  async stopAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const name of this.names.toReversed()) {
      await this.signal(name, 'SIGCONT');
      await this.signal(name, 'SIGTERM')
        .catch(() => this.signal(name, 'SIGKILL'))
        .catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `status ${code}`));
    child.on('error', ({ message }) => resolve(message));
  });
}

async function endsWithin(ended: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  const timeout = pause(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  const hasEnded = await Promise.race([ended.then(() => true), timeout]);
  timer.abort();
  return hasEnded;
}

/** The state of a process on Linux, such as `D (disk sleep)`. */
function stateOfProcess(pid: number | undefined): string {
  try {
    return /State:\s+(.+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 'unknown';
  } catch {
    return 'gone';
  }
}

/** Resolves when a program listens on a port of loopback. */
export async function listensOn(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const listens = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (listens) return;
    await pause(50);
  }
}

/** Resolves when a URL answers with success. */
export async function answers(url: string): Promise<void> {
  for (;;) {
    const isReady = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await pause(100);
  }
}
