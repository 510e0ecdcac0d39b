import { storedBytesHeader } from '@corral/contract';

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

  /** For a client that sends or takes too little. */
  static ofSlowClient(): TransferFailure {
    return new TransferFailure(
      408,
      'The transfer has stalled or is far too slow; try again on a better connection.',
    );
  }

  /** For stored bytes that are missing or damaged: a header tells a client that only an upload repairs them. */
  static ofDamage(message: string, cause?: unknown): TransferFailure {
    return new TransferFailure(500, message, { headers: { [storedBytesHeader]: 'damaged' }, cause });
  }
}
