interface FailureOptions {
  readonly retryAfterSecs?: number;
  /** Further headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Why a transfer is refused: a status and a sentence that says what to do. */
export class TransferFailure extends Error {
  override readonly name = 'TransferFailure';
  readonly status: number;
  readonly retryAfterSecs: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, { retryAfterSecs, headers = {}, cause }: FailureOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.retryAfterSecs = retryAfterSecs;
    this.headers = headers;
  }
}
