/** The error kinds on the wire; clients of 2025 only know the first three. */
export type WireErrorKind = 'Invalid' | 'Forbidden' | 'Internal' | 'RateLimited';

/** Why a call failed. Several kinds share a wire kind; over HTTP they differ by status. */
export type ErrorKind =
  | 'Invalid'
  | 'NotSignedIn'
  | 'Forbidden'
  | 'UnknownAction'
  | 'TooLarge'
  | 'Throttled'
  | 'RateLimited'
  | 'NotReady'
  | 'Internal';

interface ErrorRow {
  readonly status: number;
  readonly wireKind: WireErrorKind;
}

/** Status over HTTP and kind on the wire of every error kind. */
export const errorKinds: Readonly<Record<ErrorKind, ErrorRow>> = {
  Invalid: { status: 400, wireKind: 'Invalid' },
  NotSignedIn: { status: 401, wireKind: 'Forbidden' },
  Forbidden: { status: 403, wireKind: 'Forbidden' },
  UnknownAction: { status: 404, wireKind: 'Invalid' },
  TooLarge: { status: 413, wireKind: 'Invalid' },
  Throttled: { status: 429, wireKind: 'Internal' },
  // Replaces Throttled for callers by a newer name; actions throw Throttled.
  RateLimited: { status: 429, wireKind: 'RateLimited' },
  NotReady: { status: 503, wireKind: 'Internal' },
  Internal: { status: 500, wireKind: 'Internal' },
};

/** An error on the wire: the body over HTTP, part of the envelope over a channel. */
export interface ErrorBody {
  readonly kind: WireErrorKind;
  readonly message: string;
  /** The id of the failed request in the hub's log; only for internal errors. */
  readonly requestId?: string;
  readonly reason?: ErrorReason;
}

/** What programs may recognise in an error of these kinds, beside its sentence. */
export type ErrorReason =
  | {
      readonly kind:
        | 'CertificatePending'
        | 'CertificateRejected'
        | 'CertificateRevoked'
        | 'CertificateEnded'
        | 'TokenUnknown';
    }
  /** The user has to prove again who it is, before the same call passes. */
  | { readonly kind: 'StepUpWanted' }
  /** `at` is the index of the first wrong character in the filter. */
  | { readonly kind: 'FilterMistake'; readonly problem: string; readonly at: number };

interface ActionErrorOptions {
  readonly reason?: ErrorReason;
  readonly retryAfterSecs?: number;
  readonly requestId?: string;
  readonly cause?: unknown;
}

/** A refusal or failure of an action; its message is a sentence for people without secrets. */
export class ActionError extends Error {
  readonly kind: ErrorKind;
  readonly retryAfterSecs: number | undefined;
  readonly requestId: string | undefined;
  readonly reason: ErrorReason | undefined;

  constructor(kind: ErrorKind, message: string, options: ActionErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ActionError';
    this.kind = kind;
    this.retryAfterSecs = options.retryAfterSecs;
    this.requestId = options.requestId;
    this.reason = options.reason;
  }

  /** The error as sent to callers. */
  toBody(): ErrorBody {
    const { kind, message, requestId, reason } = this;
    return {
      kind: errorKinds[kind].wireKind,
      message,
      ...(requestId === undefined ? {} : { requestId }),
      ...(reason === undefined ? {} : { reason }),
    };
  }
}
