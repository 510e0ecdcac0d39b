import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Shell } from './Shell.ts';

/** Why this machine cannot give a shell a terminal, as a sentence; undefined if it can. */
export function shellProblem(): string | undefined {
  if (process.platform !== 'linux') return 'Terminals need Linux.';
  const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  if ((stdout ?? '').includes('util-linux')) return undefined;
  return 'Terminals need the program script of util-linux, which this device does not have.';
}

/** What an inner `script` runs: tells its process and terminal, then becomes the login shell. */
const inner = [
  'stty sane rows 24 cols 80',
  'stty iutf8 2>/dev/null',
  'echo "$$ $(tty)" >&3',
  'exec 3>&-',
  'export SHELL="$LOGIN_SHELL"',
  'unset LOGIN_SHELL',
  'cd "$HOME" 2>/dev/null || cd /',
  'exec "$SHELL" -l',
].join('; ');
/** Where the device can, `script` and with it the terminal end with the agent, also when that is killed. */
const outer = [
  'endsWithAgent=$(setpriv --pdeathsig KILL echo setpriv --pdeathsig KILL 2>/dev/null)',
  'LOGIN_SHELL=${1:-$SHELL} SHELL=/bin/sh exec $endsWithAgent script -q -e -c "$2" /dev/null',
].join('; ');

const endWithinMs = 5_000;
const checkEveryMs = 50;

/** Starts a login shell of a user in a terminal of its own, without the environment of this process. Only root can start those of other users. */
export function openShell(user: string, shell: string | undefined): Shell {
  const own = userInfo();
  const shellCommand = ['-c', outer, 'sh', shell ?? '', inner];
  const [program, args] =
    user === own.username
      ? ['/bin/sh', shellCommand]
      : ['setpriv', [...setprivOptions(user), '/bin/sh', ...shellCommand]];
  const child = spawn(program, args, {
    cwd: '/',
    detached: true,
    env: {
      PATH: process.env['PATH'],
      TERM: 'xterm-256color',
      LANG: process.env['LANG'],
      HOME: own.homedir,
      SHELL: own.shell ?? '/bin/sh',
      USER: own.username,
      LOGNAME: own.username,
    },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  return new ScriptShell(child, user);
}

const setprivOptions = (user: string): string[] => [
  `--reuid=${user}`,
  `--regid=${primaryGroup(user)}`,
  '--init-groups',
  '--reset-env',
  '--',
];

function primaryGroup(user: string): string {
  const { stdout } = spawnSync('id', ['-g', '--', user], { encoding: 'utf8' });
  return stdout.trim();
}

/** A shell below `script`, which copies between our pipes and its terminal. */
class ScriptShell implements Shell {
  readonly #child: ChildProcess;
  readonly output: AsyncIterable<Uint8Array>;
  readonly exited: Promise<number>;
  /** Its process and terminal; undefined where it did not start. */
  readonly #started: Promise<{ pid: number; tty: string } | undefined>;
  #shellPid: number | undefined;
  #size: readonly [cols: number, rows: number] | undefined;
  #isResizing = false;
  #hungUp: Promise<void> | undefined;

  constructor(child: ChildProcess, user: string) {
    this.#child = child;
    this.output = child.stdout as Readable;
    child.stdin?.on('error', () => undefined);
    let problem = '';
    child.stderr?.on('data', (piece: Buffer) => (problem = `${problem}${piece.toString()}`.slice(0, 500)));
    const closed = once(child, 'close') as Promise<[number | null]>;
    this.#started = readLine(child.stdio[3] as Readable).then((line) => {
      const [, pid, tty] = /^(\d+) (\/dev\/\S+)/.exec(line) ?? [];
      if (tty === undefined) return undefined;
      this.#shellPid = Number(pid);
      return { pid: this.#shellPid, tty };
    });
    this.exited = Promise.all([closed, this.#started]).then(([[code], started]) => {
      if (started === undefined) throw new Error(problem.trim() || `there is no shell of ${user}`);
      return code ?? 0;
    });
    this.exited.catch(() => undefined);
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#started;
    const stdin = this.#child.stdin as Writable;
    await new Promise<void>((done) => stdin.write(bytes, () => done()));
  }

  resize(cols: number, rows: number): void {
    this.#size = [cols, rows];
    if (!this.#isResizing) void this.#applySize();
  }

  async #applySize(): Promise<void> {
    this.#isResizing = true;
    const started = await this.#started;
    while (this.#size !== undefined && started !== undefined) {
      const [cols, rows] = this.#size;
      this.#size = undefined;
      const stty = spawn('stty', ['-F', started.tty, 'rows', `${rows}`, 'cols', `${cols}`], {
        stdio: 'ignore',
      });
      await once(stty, 'close').catch(() => undefined);
    }
    this.#isResizing = false;
  }

  hangUp(): Promise<void> {
    this.#hungUp ??= this.#end();
    return this.#hungUp;
  }

  async #end(): Promise<void> {
    const inFront = this.#shellPid === undefined ? undefined : groupInFront(this.#shellPid);
    // Its terminal ends with it, and the kernel tells the shell and what runs in front.
    this.#child.kill('SIGKILL');
    this.#child.stdout?.destroy();
    const started = await this.#started;
    if (started === undefined) return;
    const areGone = (): boolean => !signal(started.pid, 0) && (inFront === undefined || !signal(-inFront, 0));
    for (let waitedMs = 0; waitedMs < endWithinMs; waitedMs += checkEveryMs) {
      if (areGone()) return;
      await sleep(checkEveryMs);
    }
    for (const group of new Set([started.pid, inFront ?? started.pid])) signal(-group, 'SIGKILL');
  }
}

/** The group of processes that has the terminal of a shell; undefined where there is none. */
function groupInFront(shellPid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${shellPid}/stat`, 'latin1');
    const [, , , , , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(group) > 1 ? Number(group) : undefined;
  } catch {
    return undefined;
  }
}

async function readLine(stream: Readable): Promise<string> {
  let text = '';
  for await (const piece of stream) {
    text += String(piece);
    if (text.includes('\n')) break;
  }
  return text;
}

/** Whether the process, or the group with the negative number, is there. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
