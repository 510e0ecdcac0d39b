import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';

const program = fileURLToPath(new URL('../dist/corral-agent.mjs', import.meta.url));

/** The agent as a child process with collected output. */
export class AgentProcess {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  /** The exit code. */
  readonly ended: Promise<number | null>;

  /** `stdout` is the file descriptor of its standard output; by default a pipe that is collected. */
  constructor(args: readonly string[], env: Record<string, string> = {}, stdout?: number) {
    this.child = spawn(process.execPath, [program, ...args], {
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
        HOME: '/nonexistent',
        ...env,
      },
      stdio: ['pipe', stdout ?? 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = once(this.child, 'close').then(([code]) => code as number | null);
  }

  /** Waits until the log matches. */
  says(pattern: RegExp): Promise<void> {
    return vi.waitFor(() => {
      if (!pattern.test(this.stderr)) throw new Error(`not said ${pattern}: ${this.stderr}`);
    });
  }

  /** Sends a signal and returns the exit code. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }
}
