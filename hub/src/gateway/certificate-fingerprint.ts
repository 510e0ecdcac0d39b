import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { CertificateHeaderTrust } from '../config/certificate-header.ts';
import { AdmissionError } from './AdmissionError.ts';
import { leafInHeader } from './certificate-in-header.ts';
import { UntrustedHeaderError } from './UntrustedHeaderError.ts';

/** Throws an UntrustedHeaderError if a request carries `X-Client-Cert` from an address where the header is not trusted. */
export function refuseUntrustedHeader(request: IncomingMessage, trust: CertificateHeaderTrust): void {
  if (request.headers['x-client-cert'] === undefined) return;
  if (trust(request.socket.remoteAddress) === 'never') throw new UntrustedHeaderError();
}

/**
 * The SHA-256 of the certificate that a device presents, in its handshake or a trusted header: upper-case hex pairs joined by colons;
 * undefined without one. Throws an AdmissionError for a header that is malformed or not trusted.
 */
export function certificateFingerprint(
  request: IncomingMessage,
  trust: CertificateHeaderTrust,
): string | undefined {
  refuseUntrustedHeader(request, trust);
  const header = certificateHeader(request);
  if (header !== undefined) return fingerprintOf(leafInHeader(header));
  if (trust(request.socket.remoteAddress) === 'only') return undefined;
  const handshake = request.socket instanceof TLSSocket ? request.socket.getPeerX509Certificate() : undefined;
  return handshake === undefined ? undefined : fingerprintOf(handshake.raw);
}

/** Some proxies send an empty header when there is no certificate. */
function certificateHeader(request: IncomingMessage): string | undefined {
  const values = request.headersDistinct['x-client-cert'] ?? [];
  if (values.length > 1)
    throw new AdmissionError(400, 'Invalid', 'The header X-Client-Cert may be there only once.');
  return values[0] === '' ? undefined : values[0];
}

function fingerprintOf(der: Buffer): string {
  const hex = createHash('sha256').update(der).digest('hex').toUpperCase();
  return (hex.match(/../g) ?? []).join(':');
}
