import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
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

const stopAfterMs = 40_000;

/** The programs of a cluster on this machine, each with a log file. */
export class Programs {
  readonly #folder: string;
  readonly #known = new Map<string, Program>();
  readonly #running = new Map<string, { readonly child: ChildProcess; state: State }>();
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
    this.#running.set(name, { child, state: 'running' });
    const ended = once(child, 'exit').then(() => {
      this.#running.delete(name);
      throw new Error(`${name} has ended; see ${this.logOf(name)}.`);
    });
    ended.catch(() => undefined);
    await Promise.race([program.ready(), ended]);
  }

  /** Starts a program again that was stopped or killed. */
  async startAgain(name: string): Promise<void> {
    const program = this.#known.get(name);
    if (program === undefined || this.#running.has(name)) return;
    await this.start(program);
  }

  /** Sends a signal; resolves when the program has ended, unless it pauses or continues. */
  async signal(name: string, signal: NodeJS.Signals): Promise<void> {
    const running = this.#running.get(name);
    if (running === undefined) return;
    running.child.kill(signal);
    if (signal === 'SIGSTOP') running.state = 'paused';
    else if (signal === 'SIGCONT') running.state = 'running';
    else await once(running.child, 'exit', { signal: AbortSignal.timeout(stopAfterMs) });
  }

  /** Stops all, the last first. */
  async stopAll(): Promise<void> {
    for (const name of this.names.toReversed()) {
      await this.signal(name, 'SIGCONT');
      await this.signal(name, 'SIGTERM').catch(() => this.signal(name, 'SIGKILL'));
    }
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
