import { AdmissionError } from './AdmissionError.ts';

/** A certificate header from an address that is not believed; worth a note in the audit log, since nobody sends it by accident. */
export class UntrustedHeaderError extends AdmissionError {
  constructor() {
    super(400, 'Invalid', 'The header X-Client-Cert is not accepted from this address.');
    this.name = 'UntrustedHeaderError';
  }
}
