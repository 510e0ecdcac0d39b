import { ConnectError } from '@corral/client';
import { AgentError } from './AgentError.ts';
import { createProgram } from './program.ts';

/** How long open sockets may take to end once there is nothing more to do. */
const endWithinMs = 3_000;

function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  // A second signal is not caught and ends the process at once.
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stopping.abort());
  return stopping.signal;
}

function stopSignalWithInput(): AbortSignal {
  const ended = new AbortController();
  process.stdin.on('end', () => ended.abort()).on('error', () => ended.abort());
  process.stdin.resume();
  return AbortSignal.any([stopSignal(), ended.signal]);
}

/** One sentence for whoever runs the agent: never a stack, never a secret. */
function fail(error: unknown): void {
  const isExpected = error instanceof AgentError || error instanceof ConnectError;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(isExpected ? `${message}\n` : `corral-agent failed: ${message}\n`);
  process.exitCode = 1;
}

const program = createProgram({
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  stopSignal,
  stopSignalWithInput,
});

// Whoever reads the output may have gone.
process.stdout.on('error', () => process.exit());
await program.parseAsync().catch(fail);
process.stdin.destroy();
setTimeout(() => process.exit(), endWithinMs).unref();
