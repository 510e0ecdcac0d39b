/** The exit codes of the process and their meaning; most commands end with 0 or 1. */
export const exitCodes = {
  failed: 1,
  /** Not signed in, or not allowed. */
  denied: 3,
  /** The received data has another digest. */
  damaged: 5,
} as const;

/** See `exitCodes`. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An error that the user of the agent has to fix; the message is one sentence. */
export class AgentError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, options?: ErrorOptions, exitCode: ExitCode = exitCodes.failed) {
    super(message, options);
    this.name = 'AgentError';
    this.exitCode = exitCode;
  }
}
