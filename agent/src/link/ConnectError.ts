/** The hub did not let the device in, or could not be reached; the message is a sentence for people. */
export class ConnectError extends Error {
  /** The status of the hub's answer; undefined when there was none. */
  readonly status: number | undefined;
  /** How long the hub asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, status?: number, retryAfterMs?: number) {
    super(message);
    this.name = 'ConnectError';
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
