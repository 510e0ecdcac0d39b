/** The exit codes of the process and their meaning. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  /** Not signed in, or not allowed. */
  denied: 3,
  /** It already exists, or was changed by another caller. */
  conflict: 4,
  /** The received data is truncated or has another digest. */
  damaged: 5,
  /** An operation ended, but not well on each of its devices. */
  someFailed: 3,
  /** An operation is paused. */
  paused: 4,
  /** The hub or the command line refused to begin an operation. */
  refused: 5,
  /** The user ended the watching of an operation, which goes on: what shells use for SIGINT. */
  unwatched: 130,
} as const;

/** See `exitCodes`. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An error that the user of the command line has to fix; the message is one sentence. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}
