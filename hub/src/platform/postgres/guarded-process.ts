import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Account } from './account.ts';
import { PostgresStartError } from './PostgresStartError.ts';

/**
 * The shell runs the program and a watchdog. The watchdog reads a pipe whose other end only the hub has open. When the pipe closes, also
 * because the hub was killed, it signals the program to stop, repeatedly until the program has ended, since a signal before the program
 * has installed its handlers is lost. The shell ignores signals that a terminal or a service manager sends to all processes, since the
 * hub stops the database itself. It waits for the watchdog too: where the hub is process 1 of a container, nobody else does.
 */
const guard = `
umask 077
trap '' HUP INT TERM PIPE
exec 3<&0 </dev/null
"$@" 3<&- >&2 &
program=$!
( read -r _ <&3; while kill -INT "$program" 2>/dev/null; do sleep 1; done ) >/dev/null 2>&1 &
watchdog=$!
exec 3<&-
echo "$program"
wait "$program"
status=$?
kill -KILL "$watchdog" 2>/dev/null
wait "$watchdog"
exit "$status"
`;

/** The program to run. Its output goes to the open file `outputFd`. */
export interface GuardedCommand {
  program: string;
  args: string[];
  account: Account | undefined;
  outputFd: number;
  /** Added to its environment. */
  env?: Readonly<Record<string, string>>;
}

/** A program that gets SIGINT when `release()` is called or when the hub dies. */
export interface GuardedProcess {
  pid: number;
  /** The exit status of the program, 128 + n after signal n; never rejects. */
  exited: Promise<number>;
  release(): void;
}

type Shell = ChildProcessByStdio<Writable, Readable, null>;

/** Starts a program with its watchdog, in its own session, with a bare environment and umask 077. Rejects when it can't be started. */
export async function startGuarded(command: GuardedCommand): Promise<GuardedProcess> {
  const { program, args, account, outputFd, env } = command;
  const child = spawn('/bin/sh', ['-c', guard, 'corral-guard', program, ...args], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...env },
    stdio: ['pipe', 'pipe', outputFd],
    detached: true,
    ...(account && { uid: account.uid, gid: account.gid }),
  }) as Shell;
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 1)));
  });
  child.stdin.on('error', () => {}); // The guard may have ended already.
  return { pid: await readPid(child, account), exited, release: () => child.stdin.destroy() };
}

async function readPid(shell: Shell, account: Account | undefined): Promise<number> {
  await once(shell, 'spawn').catch((error: NodeJS.ErrnoException) => {
    const whom = account ? ` as the user ${account.name}` : '';
    throw new PostgresStartError(`PostgreSQL could not be started${whom}: ${error.code ?? error.message}.`, {
      cause: error,
    });
  });
  for await (const line of createInterface({ input: shell.stdout })) return Number(line);
  throw new PostgresStartError('PostgreSQL could not be started: /bin/sh ended at once.');
}
