/** An error that ends an upload, with a sentence for people; an immediate retry would not help. */
export class UploadProblem extends Error {
  override readonly name = 'UploadProblem';
}

/** A temporary error, after which an upload resumes by itself. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  /** How long the hub asks to wait, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}
