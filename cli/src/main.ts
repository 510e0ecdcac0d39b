import { homedir } from 'node:os';
import { CommanderError } from 'commander';
import { exitCodes, type ExitCode } from './CliError.ts';
import { failureOf } from './failure.ts';
import { createProgram } from './program.ts';

/** How long open sockets may take to end once there is nothing more to do. */
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
    // Its own words are written already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const { sentence, exitCode } = failureOf(error);
    stderr.write(`${sentence}\n`);
    return exitCode;
  }
}

// Whoever reads the output may have gone, as behind `| head`; that it could not be kept is worth a word.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit();
  process.stderr.write(`The output cannot be written: ${message}.\n`, () => process.exit(exitCodes.failed));
});
process.exitCode = await run();
process.stdin.destroy();
setTimeout(() => process.exit(), endWithinMs).unref();
