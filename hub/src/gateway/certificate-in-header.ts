import { X509Certificate } from 'node:crypto';
import { AdmissionError } from './AdmissionError.ts';

const maxHeaderBytes = 8_192;
const maxCertificates = 8;
const blockBoundary = /(?<=-----END CERTIFICATE-----)(?:\r?\n)+(?=-----BEGIN CERTIFICATE-----)/;
const pemBlock =
  /^-----BEGIN CERTIFICATE-----\r?\n((?:[A-Za-z0-9+/]+={0,2}\r?\n)+)-----END CERTIFICATE-----(?:\r?\n)*$/;

/**
 * The DER of the first certificate in the header `X-Client-Cert`: percent-encoded PEM, the device's own before the chain that may follow.
 * Throws an AdmissionError unless the whole header is well formed, every certificate of the chain included.
 */
export function leafInHeader(header: string): Buffer {
  if (header.length > maxHeaderBytes) throw malformed();
  const blocks = decodeOnce(header).split(blockBoundary);
  if (blocks.length > maxCertificates) throw malformed();
  const [leaf] = blocks.map(derOf);
  if (leaf === undefined) throw malformed();
  return leaf;
}

function decodeOnce(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    throw malformed();
  }
}

/** The parsed certificate, serialised again, must equal what was sent, so that nothing else is hashed. */
function derOf(block: string): Buffer {
  const base64 = pemBlock.exec(block)?.[1]?.replace(/[\r\n]/g, '');
  if (base64 === undefined) throw malformed();
  const sent = Buffer.from(base64, 'base64');
  const { raw } = parse(sent);
  if (!raw.equals(sent) || sent.toString('base64') !== base64) throw malformed();
  return raw;
}

function parse(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch {
    throw malformed();
  }
}

function malformed(): AdmissionError {
  return new AdmissionError(
    400,
    'Invalid',
    'The header X-Client-Cert must hold a percent-encoded PEM certificate, and behind it nothing but its chain.',
  );
}
