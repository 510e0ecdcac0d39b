import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A program of the cluster, as it is started each time. */
export interface Program {
  readonly name: string;
  readonly executable: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Resolves when it can be used. */
  readonly ready: () => Promise<void>;
}

type State = 'running' | 'paused' | 'stopped';

/** A program that was started: `ended` resolves with how it ended, also when it could not be started. */
interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<string>;
  state: State;
}

/** Longer than a hub takes to stop. */
const stopAfterMs = 40_000;
/** What is killed ends once the system has taken its memory back. */
const killedAfterMs = 20_000;

/** The programs of a cluster on this machine, each with a log file. */
export class Programs {
  readonly #folder: string;
  readonly #known = new Map<string, Program>();
  readonly #running = new Map<string, Running>();
  /** In the order in which they were started first. */
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

  stateOf(name: string): State {
    return this.#running.get(name)?.state ?? 'stopped';
  }

  /** The process of a program; undefined while it does not run. */
  pidOf(name: string): number | undefined {
    return this.#running.get(name)?.child.pid;
  }

  /** Starts a program, and resolves when it is ready. Rejects when it ends before. */
  async start(program: Program): Promise<void> {
    const { name, executable, args, env } = program;
    this.#known.set(name, program);
    const log = createWriteStream(this.logOf(name), { flags: 'a' });
    // The fleet ends with its standard input.
    const child = spawn(executable, args, { env: { PATH: process.env['PATH'], ...env }, stdio: 'pipe' });
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    const ended = endOf(child);
    this.#running.set(name, { child, ended, state: 'running' });
    const early = ended.then((how) => {
      this.#running.delete(name);
      throw new Error(`${name} has ended (${how}); see ${this.logOf(name)}.`);
    });
    early.catch(() => undefined);
    await Promise.race([program.ready(), early]);
  }

  /** Starts a program again that was stopped or killed. */
  async startAgain(name: string): Promise<void> {
    const program = this.#known.get(name);
    if (program === undefined || this.#running.has(name)) return;
    await this.start(program);
  }

  /** Sends a signal; resolves when the program has ended, unless it pauses or continues. Rejects when it goes on for 40 s, or 20 s after SIGKILL. */
  async signal(name: string, signal: NodeJS.Signals): Promise<void> {
    const running = this.#running.get(name);
    if (running === undefined) return;
    running.child.kill(signal);
    if (signal === 'SIGSTOP') running.state = 'paused';
    else if (signal === 'SIGCONT') running.state = 'running';
    else if (!(await endsWithin(running.ended, signal === 'SIGKILL' ? killedAfterMs : stopAfterMs)))
      throw new Error(`${name} (${stateOfProcess(running.child.pid)}) has not ended after ${signal}.`);
  }

  /** Stops all, the last first. Rejects when some have not ended, once all others have. */
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
  const waiting = new AbortController();
  const late = pause(timeoutMs, false, { signal: waiting.signal }).catch(() => false);
  const hasEnded = await Promise.race([ended.then(() => true), late]);
  waiting.abort();
  return hasEnded;
}

/** What Linux says of a process, such as `D (disk sleep)`. */
function stateOfProcess(pid: number | undefined): string {
  try {
    return /State:\s+(.+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 'unknown';
  } catch {
    return 'gone';
  }
}

/** Resolves when something listens on a port of loopback. */
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

/** Resolves when an address answers with success. */
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
