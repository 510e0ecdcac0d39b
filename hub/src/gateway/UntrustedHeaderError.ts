import { AdmissionError } from './AdmissionError.ts';

/** A certificate header from an untrusted address. It goes to the audit log, since clients do not send it by accident. */
export class UntrustedHeaderError extends AdmissionError {
  constructor() {
    super(400, 'Invalid', 'The header X-Client-Cert is not accepted from this address.');
    this.name = 'UntrustedHeaderError';
  }
}
