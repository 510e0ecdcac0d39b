import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Account } from './account.ts';
import { PostgresStartError } from './PostgresStartError.ts';

/**
 * The shell keeps the program and a watchdog side by side. The watchdog reads the pipe that only the hub holds: its end, however
 * the hub died, asks the program to stop. It asks until the program is gone, since a signal that arrives before the program has
 * set its handlers is lost. The shell ignores the signals that a terminal or a service manager sends to all processes: the hub
 * decides when the database stops.
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
exit "$status"
`;

/** What to run under guard; all output goes to the open file outputFd. */
export interface GuardedCommand {
  program: string;
  args: string[];
  account: Account | undefined;
  outputFd: number;
}

/** A program that is asked to stop (SIGINT) when release() is called or when the hub dies. */
export interface GuardedProcess {
  pid: number;
  /** The exit status of the program, 128 + n after signal n; never rejects. */
  exited: Promise<number>;
  release(): void;
}

type Shell = ChildProcessByStdio<Writable, Readable, null>;

/** Starts a program in its own session with an empty environment, umask 077 and the guard; rejects when it can't be started. */
export async function startGuarded(command: GuardedCommand): Promise<GuardedProcess> {
  const { program, args, account, outputFd } = command;
  const child = spawn('/bin/sh', ['-c', guard, 'corral-guard', program, ...args], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', 'pipe', outputFd],
    detached: true,
    ...(account && { uid: account.uid, gid: account.gid }),
  }) as Shell;
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 1)));
  });
  child.stdin.on('error', () => {}); // A guard that is gone needs no word from us.
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
