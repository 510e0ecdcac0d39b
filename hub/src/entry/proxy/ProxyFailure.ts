/** Why a request did not reach a device's page, or why its response did not come back. Sent to clients in `X-Corral-Failure`. */
export type FailureCause =
  | 'noToken'
  | 'expired'
  | 'used'
  | 'withdrawn'
  | 'foreign'
  | 'malformed'
  | 'unsupported'
  | 'stalledRequest'
  | 'garbled'
  | 'refused'
  | 'broken'
  | 'offline'
  | 'busy'
  | 'notReady'
  | 'silent';

/** A failure that the proxy reports to the browser as an error page. */
export class ProxyFailure extends Error {
  readonly failure: FailureCause;
  /** Where a browser is redirected instead of the error page. */
  readonly redirect: string | undefined;

  constructor(failure: FailureCause, redirect?: string) {
    super(failure);
    this.name = 'ProxyFailure';
    this.failure = failure;
    this.redirect = redirect;
  }
}
