/** The hub refused the connection or could not be reached; the message is a sentence for people. */
export class ConnectError extends Error {
  /** The status of the hub's answer; undefined when there was none. */
  readonly status: number | undefined;
  /** The Retry-After of the hub, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The kind of error that the hub's answer names; undefined when it names none. */
  readonly kind: string | undefined;

  /** The `X-Corral-Failure` of the hub: a word for programs. */
  readonly failure: string | undefined;

  constructor(message: string, status?: number, retryAfterMs?: number, kind?: string, failure?: string) {
    super(message);
    this.name = 'ConnectError';
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.kind = kind;
    this.failure = failure;
  }
}
