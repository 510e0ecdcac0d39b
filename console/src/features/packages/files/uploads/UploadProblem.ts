/** Why an upload ends, in a sentence for people; trying again at once would not help. */
export class UploadProblem extends Error {
  override readonly name = 'UploadProblem';
}

/** Why an upload is interrupted; it goes on by itself. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  /** How long the hub asks to wait, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}
