import type { WireErrorKind } from '@corral/contract';

/** Why a connection is refused: an HTTP response instead of the upgrade. */
export class AdmissionError extends Error {
  readonly status: number;
  readonly kind: WireErrorKind;
  readonly retryAfterSecs: number | undefined;

  constructor(status: number, kind: WireErrorKind, message: string, retryAfterSecs?: number) {
    super(message);
    this.name = 'AdmissionError';
    this.status = status;
    this.kind = kind;
    this.retryAfterSecs = retryAfterSecs;
  }
}
