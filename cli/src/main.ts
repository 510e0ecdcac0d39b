import { homedir } from 'node:os';
import { endProcess, exitOnOutputError } from '@corral/client/node';
import { CommanderError } from 'commander';
import { exitCodes, type ExitCode } from './CliError.ts';
import { failureOf } from './failure.ts';
import { createProgram } from './program.ts';

/** How long open sockets may take to close after the command has ended. */
const endWithinMs = 1_000;

function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  // A second signal is not caught and ends the process at once.
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stopping.abort());
  return stopping.signal;
}

async function run(): Promise<ExitCode> {
  const { env, stdin, stdout, stderr, argv } = process;
  try {
    const home = env['HOME'] || homedir();
    await createProgram({ env, cwd: process.cwd(), home, stdin, stdout, stderr, stopSignal }).parseAsync(
      argv,
    );
    return exitCodes.ok;
  } catch (error) {
    // Commander has already written its message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    return report(error);
  }
}

/** Reports a failure in one sentence; CORRAL_DEBUG=1 adds the stack. */
function report(error: unknown): ExitCode {
  const { sentence, exitCode } = failureOf(error);
  process.stderr.write(`${sentence}\n`);
  if (process.env['CORRAL_DEBUG'] && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return exitCode;
}

process.on('uncaughtException', (error) => process.exit(report(error)));

exitOnOutputError(exitCodes.failed);
process.exitCode = await run();
endProcess(endWithinMs);
