/** Ends the program when its output cannot be written: with a sentence and this exit code, or with 0 if the reader has exited, as with `| head`. */
export function exitOnOutputError(exitCode: number): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit();
    process.stderr.write(`The output cannot be written: ${message}.\n`, () => process.exit(exitCode));
  });
}

/** Lets the program end after its command. Sockets that are still open then get this time to close, in milliseconds. */
export function endProcess(withinMs: number): void {
  process.stdin.destroy();
  // Ended by itself, Node may wait for ever, and at full speed, for a request of a socket that was reset (Environment::CleanupHandles).
  process.once('beforeExit', () => process.exit());
  setTimeout(() => process.exit(), withinMs).unref();
}
