import { createHash, X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { AdmissionError } from './AdmissionError.ts';

/** When the certificate in the header `X-Client-Cert` is believed, given the address that the connection comes from. */
export type TrustsCertificateHeader = (remoteAddress: string | undefined) => boolean;

const maxHeaderBytes = 8_192;
const onePem = /^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/;

/**
 * The SHA-256 over the DER of the certificate that a device presents: that of this TLS handshake, or the one in the
 * header where its sender is trusted. Upper-case hex pairs joined by colons; undefined when there is none.
 * Throws an AdmissionError for a header that is malformed or not to be believed.
 */
export function certificateFingerprint(
  request: IncomingMessage,
  trustsHeader: TrustsCertificateHeader,
): string | undefined {
  const header = certificateHeader(request);
  if (header !== undefined) {
    if (!trustsHeader(request.socket.remoteAddress)) {
      throw new AdmissionError(400, 'Invalid', 'The header X-Client-Cert is not accepted from this address.');
    }
    return fingerprintOf(certificateInHeader(header).raw);
  }
  const handshake = request.socket instanceof TLSSocket ? request.socket.getPeerX509Certificate() : undefined;
  return handshake === undefined ? undefined : fingerprintOf(handshake.raw);
}

function certificateHeader(request: IncomingMessage): string | undefined {
  const values = request.headersDistinct['x-client-cert'];
  if (values === undefined || (values.length === 1 && values[0] === '')) return undefined;
  if (values.length > 1) throw malformed();
  return values[0];
}

/** Reads the first certificate of a percent-encoded PEM, which may be followed by its chain. */
function certificateInHeader(header: string): X509Certificate {
  if (header.length > maxHeaderBytes) throw malformed();
  const blocks = decodeOnce(header).split(/(?<=-----END CERTIFICATE-----)\s*(?=-----BEGIN)/);
  if (!blocks.every((block) => onePem.test(block))) throw malformed();
  try {
    return new X509Certificate(blocks[0] ?? '');
  } catch {
    throw malformed();
  }
}

function decodeOnce(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    throw malformed();
  }
}

function malformed(): AdmissionError {
  return new AdmissionError(
    400,
    'Invalid',
    'The header X-Client-Cert must hold one percent-encoded PEM certificate.',
  );
}

function fingerprintOf(der: Buffer): string {
  const hex = createHash('sha256').update(der).digest('hex').toUpperCase();
  return (hex.match(/../g) ?? []).join(':');
}
