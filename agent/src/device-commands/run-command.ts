import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileProblem } from '@corral/client/node';
import { checkJsonSchema, type Json } from '@corral/contract';
import { CommandOutput, isTooMuch, tooMuch } from './CommandOutput.ts';
import { LineSplitter } from './line-splitter.ts';
import { maxTimeoutSecs, type OfferedCommand } from './offered-command.ts';
import type { OfferedCommands } from './read-commands.ts';

/** A command that the hub asks for. */
export interface CommandCall {
  /** Its name. */
  readonly command: string;
  readonly input: Json;
  /** How long it may run; without it, as its manifest says. */
  readonly timeoutSecs?: number | undefined;
  /** Takes lines that it writes to its standard error, as they come; the command waits for the promise. */
  readonly onLog?: (lines: string[]) => Promise<void>;
  /** Kills the command. */
  readonly signal: AbortSignal;
}

/** How a command ended. */
export interface CommandResult {
  readonly status: 'Ok' | 'Error';
  readonly output?: Json;
  /** A sentence. */
  readonly error?: string;
  /** The last lines of its standard error. */
  readonly logTail: string[];
  readonly durationMs: number;
  /** Whether the signal stopped it: this is then no result of the command. */
  readonly isStopped?: true;
}

/** Runs commands by their names; never rejected. */
export type RunCommand = (call: CommandCall) => Promise<CommandResult>;

type Outcome = Pick<CommandResult, 'status' | 'output' | 'error' | 'isStopped'>;

const failed = (error: string): Outcome => ({ status: 'Error', error });
const stopped = (name: string): Outcome => ({
  ...failed(`The command ${name} was stopped.`),
  isStopped: true,
});

/** Runs the commands that this device offers, as `runCommand` does. */
export const runOffered =
  (commands: OfferedCommands): RunCommand =>
  async (call) => {
    const command = commands.get(call.command);
    return command === undefined ? unknownCommand(call.command) : runCommand(command, call);
  };

/** The result of a command that a device does not offer. */
export function unknownCommand(name: string): CommandResult {
  const error = `This device offers no command ${JSON.stringify(name)}.`;
  return { status: 'Error', error, logTail: [], durationMs: 0 };
}

/**
 * Runs a command in a process group of its own, with its input as JSON on its standard input. It has ended when its process has ended and its output is closed; then, after its time and when
 * the signal aborts, the group is killed. Never rejected.
 */
export async function runCommand(
  command: OfferedCommand,
  call: Omit<CommandCall, 'command'>,
): Promise<CommandResult> {
  const { input, signal } = call;
  const startedAtMs = performance.now();
  const logTail: string[] = [];
  const fault = schemaFault(`The input of the command ${command.name}`, command.input, input);
  const outcome =
    fault !== undefined
      ? failed(fault)
      : signal.aborted
        ? stopped(command.name)
        : await runProcess(command, call, logTail);
  return { ...outcome, logTail, durationMs: Math.round(performance.now() - startedAtMs) };
}

/** Without free file descriptors it has no streams, and an error comes. */
type StartedChild = Omit<ChildProcessWithoutNullStreams, 'stdin' | 'stdio' | 'stdout' | 'stderr'> &
  Partial<Pick<ChildProcessWithoutNullStreams, 'stdin' | 'stdio' | 'stdout' | 'stderr'>>;

function runProcess(
  command: OfferedCommand,
  { input, timeoutSecs, onLog, signal }: Omit<CommandCall, 'command'>,
  logTail: string[],
) {
  return new Promise<Outcome>((resolve) => {
    const [program, ...args] = command.handler;
    const unstarted = (cause: unknown): Outcome =>
      failed(`The command ${command.name} cannot be started: ${fileProblem(cause, program)}.`);
    let child: StartedChild;
    try {
      child = spawn(program, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    } catch (cause) {
      // Some failures are thrown, such as a path through a file.
      return resolve(unstarted(cause));
    }
    const limitSecs = Math.min(timeoutSecs ?? command.timeoutSecs, maxTimeoutSecs);
    const output = new CommandOutput();
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      killGroup(child.pid);
      for (const stream of child.stdio ?? []) stream?.destroy();
      resolve(outcome);
    };
    const onAbort = (): void => settle(stopped(command.name));
    const timer = setTimeout(
      () => settle(failed(`The command ${command.name} was stopped after ${limitSecs} s.`)),
      limitSecs * 1_000,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    child.on('error', (cause) => settle(unstarted(cause)));
    const { stdin, stdout, stderr } = child;
    if (stdin === undefined || stdout === undefined || stderr === undefined) return;
    stdout.on('data', (piece: Buffer) => {
      output.push(piece);
      if (output.fault !== undefined) settle(failed(`The command ${command.name} ${output.fault}.`));
    });
    const onTooMuch = (): void =>
      settle(failed(`The command ${command.name} ${tooMuch} to its standard error.`));
    const logged = followLog(stderr, { logTail, onLog, onTooMuch });
    child.on('close', (code, killedBy) => {
      void logged.then(() => settle(outcomeOf(command, output, code, killedBy)));
    });
    // A command that does not read its input closes the pipe.
    stdin.on('error', () => undefined);
    stdin.end(JSON.stringify(input));
  });
}

const maxTailLines = 100;
const maxTailCharacters = 65_536;

interface LogTakers {
  readonly logTail: string[];
  readonly onLog: CommandCall['onLog'];
  readonly onTooMuch: () => void;
}

async function followLog(
  stderr: NodeJS.ReadableStream,
  { logTail, onLog, onTooMuch }: LogTakers,
): Promise<void> {
  const splitter = new LineSplitter();
  let [byteCount, lineCount] = [0, 0];
  const take = async (lines: string[]): Promise<void> => {
    if (lines.length === 0) return;
    lineCount += lines.length;
    logTail.push(...lines);
    cutTail(logTail);
    await onLog?.(lines);
  };
  try {
    for await (const piece of stderr) {
      byteCount += piece.length;
      await take(splitter.push(piece as Buffer));
      if (isTooMuch(byteCount, lineCount)) return onTooMuch();
    }
    await take(splitter.end());
  } catch {
    // Nobody reads the log any more, or the command was killed: its result tells.
    stderr.resume();
  }
}

function cutTail(tail: string[]): void {
  tail.splice(0, tail.length - maxTailLines);
  let characters = tail.reduce((sum, line) => sum + line.length, 0);
  while (characters > maxTailCharacters && tail.length > 1) characters -= tail.shift()?.length ?? 0;
}

function outcomeOf(
  command: OfferedCommand,
  output: CommandOutput,
  code: number | null,
  killedBy: NodeJS.Signals | null,
): Outcome {
  if (killedBy !== null) return failed(`The command ${command.name} was ended by ${killedBy}.`);
  if (code !== 0) return failed(`The command ${command.name} ended with exit code ${code}.`);
  const value = output.end();
  if (output.fault !== undefined) return failed(`The command ${command.name} ${output.fault}.`);
  if (value === undefined) return { status: 'Ok' };
  const fault = schemaFault(`The output of the command ${command.name}`, command.output, value);
  return fault === undefined ? { status: 'Ok', output: value } : failed(fault);
}

/** Why a value does not fit a schema of a command, as a sentence that begins with `what`; undefined if it does. */
export function schemaFault(what: string, schema: Json | undefined, value: Json): string | undefined {
  if (schema === undefined) return undefined;
  const problem = checkJsonSchema(schema, value, { matches });
  if (problem === undefined) return undefined;
  const place = problem.path === '' ? 'it' : problem.path.replace(/^\./, '');
  return `${what} does not fit: ${place} ${problem.message}.`;
}

/** The schema is a file of the owner of this device. An expression that is none excludes nothing. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}
