/** Why a request of the hub had no answer that it takes. */
export type OutgoingFault =
  | 'Refused'
  | 'Busy'
  | 'Unreachable'
  | 'Untrusted'
  | 'TooSlow'
  | 'TooLarge'
  | 'Redirects'
  | 'Malformed';

const sentences: Readonly<Record<OutgoingFault, string>> = {
  Refused:
    'is not on the internet by https, or in CORRAL_PRIVATE_TARGETS, which the operator sets: the hub does not connect to it',
  Busy: 'has too many requests of the hub waiting: try again in a moment',
  Unreachable: 'cannot be reached',
  Untrusted: 'has a certificate that the hub does not trust',
  TooSlow: 'does not answer in time',
  TooLarge: 'answers with more than the hub takes',
  Redirects: 'answers with a redirect, which the hub does not follow',
  Malformed: 'does not answer as HTTP demands',
};

/** A request of the hub failed. The message has neither an address nor words of the answer, which may be those of an internal service. */
export class OutgoingError extends Error {
  readonly fault: OutgoingFault;

  constructor(fault: OutgoingFault, host: string, options?: ErrorOptions) {
    super(`${host} ${sentences[fault]}.`, options);
    this.name = 'OutgoingError';
    this.fault = fault;
  }
}
