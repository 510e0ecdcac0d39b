import { ConnectError } from '@corral/client';
import { endProcess, exitOnOutputError } from '@corral/client/node';
import { AgentError, exitCodes } from './AgentError.ts';
import { createProgram } from './program.ts';

/** How long open sockets may take to close after the command has ended. */
const endWithinMs = 3_000;

function stopController(): AbortController {
  const stopping = new AbortController();
  // A second signal is not caught and ends the process at once.
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stopping.abort());
  return stopping;
}

const stopSignal = (): AbortSignal => stopController().signal;

function stopSignalWithInput(): AbortSignal {
  const stopping = stopController();
  process.stdin.on('end', () => stopping.abort()).on('error', () => stopping.abort());
  process.stdin.resume();
  return stopping.signal;
}

/** Reports a failure in one sentence, without a stack: the bundle is minified, and Node would print pages of it. */
function fail(error: unknown): void {
  const isExpected = error instanceof AgentError || error instanceof ConnectError;
  const message = error instanceof Error ? error.message : String(error);
  const [line] = message.split('\n', 1);
  process.stderr.write(
    isExpected ? `${message}\n` : `corral-agent failed: ${line} (CORRAL_DEBUG=1 shows where)\n`,
  );
  if (process.env['CORRAL_DEBUG'] && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exitCode = error instanceof AgentError ? error.exitCode : exitCodes.failed;
}

process.on('uncaughtException', (error) => {
  fail(error);
  process.exit();
});

const program = createProgram({
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  stopSignal,
  stopSignalWithInput,
});

exitOnOutputError(exitCodes.failed);
await program.parseAsync().catch(fail);
endProcess(endWithinMs);
