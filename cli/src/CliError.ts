/** What the process ends with, and what each number means to a script. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  /** Not signed in, or not allowed. */
  denied: 3,
  /** It exists already, or has been changed by somebody else. */
  conflict: 4,
  /** What arrived is not what was sent: cut off, or with another digest. */
  damaged: 5,
} as const;

/** See `exitCodes`. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Something that the person at the command line has to mend; the message is one sentence. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}
