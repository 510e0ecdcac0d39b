/** Why a request did not reach a device's page, or its answer did not come back. */
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

/** A failure that is told to the browser as a page. */
export class ProxyFailure extends Error {
  readonly failure: FailureCause;
  /** Where a browser goes instead of reading the page. */
  readonly redirect: string | undefined;

  constructor(failure: FailureCause, redirect?: string) {
    super(failure);
    this.name = 'ProxyFailure';
    this.failure = failure;
    this.redirect = redirect;
  }
}
