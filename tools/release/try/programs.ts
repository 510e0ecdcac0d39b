import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program that runs while a way is tried. */
export interface RunningProgram {
  /** The first text that a line of its output has in the group of the pattern. Rejects with the output if it ends before. */
  find(pattern: RegExp): Promise<string>;
  /** What it has written. */
  output(): string;
  /** Resolves to its exit code. */
  readonly ended: Promise<number | null>;
  /** Ends it as the loss of its machine does. */
  kill(): void;
  /** Sends SIGTERM and waits for the end; resolves to the exit code. */
  stop(): Promise<number | null>;
}

/** Starts a program and reads its output line by line. */
export function startProgram(
  [program, args]: readonly [string, readonly string[]],
  env: NodeJS.ProcessEnv = { PATH: process.env['PATH'] },
): RunningProgram {
  const child: ChildProcess = spawn(program, args, { env, stdio: 'pipe' });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const look of waiting) look();
  };
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null)
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        wake();
      });
  let hasEnded = false;
  const ended = once(child, 'close').then(([code]) => {
    hasEnded = true;
    wake();
    return code as number | null;
  });
  return {
    find: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.map((line) => pattern.exec(line)?.[1]).find((text) => text !== undefined);
          if (found === undefined && !hasEnded) return;
          waiting.delete(look);
          if (found === undefined)
            reject(new Error(`${program} ended without ${String(pattern)}:\n${lines.join('\n')}`));
          else resolve(found);
        };
        waiting.add(look);
        look();
      }),
    output: () => lines.join('\n'),
    ended,
    kill: () => void child.kill('SIGKILL'),
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Starts an agent that enrols with a token. */
export function startAgent(
  [program, before]: readonly [string, readonly string[]],
  hubUrl: string,
  token: string,
  state: string,
): RunningProgram {
  return startProgram([program, [...before, 'run', '--hub-url', hubUrl, '--state', state]], {
    PATH: process.env['PATH'],
    CORRAL_AGENT_TOKEN: token,
  });
}
