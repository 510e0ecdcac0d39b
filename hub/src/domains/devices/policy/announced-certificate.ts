import { createPublicKey, verify, X509Certificate, type KeyObject } from 'node:crypto';
import { ActionError, type Id, type Json } from '@corral/contract';

/** The longest certificate that a device may announce, in characters. */
const maxPemCharacters = 16_384;
const maxSignatureCharacters = 2_048;

/** Checks what a device announces, and returns the fingerprint of the certificate. Throws an `ActionError` of kind Invalid with what is wrong. */
export function announcedFingerprint(
  value: Json,
  { nonce, deviceId, now }: { readonly nonce: string; readonly deviceId: Id<'device'>; readonly now: Date },
): string {
  const { pem, signature } = partsOf(value);
  const { certificate, key } = parsed(pem);
  // A date that cannot be read is no later one.
  if (!(Date.parse(certificate.validTo) > now.getTime()))
    throw new ActionError('Invalid', 'The new certificate has expired already.');
  const signed = Buffer.from(`${nonce}.${deviceId}`, 'utf8');
  if (!isSigned(key, signed, Buffer.from(signature, 'base64')))
    throw new ActionError(
      'Invalid',
      'The signature is not that of the key of the new certificate over the nonce, a dot and the id of the device.',
    );
  return certificate.fingerprint256;
}

function partsOf(value: Json): { readonly pem: string; readonly signature: string } {
  const { pem, signature } = (value ?? {}) as { pem?: Json; signature?: Json };
  const isFine =
    typeof pem === 'string' &&
    pem.length <= maxPemCharacters &&
    typeof signature === 'string' &&
    signature.length <= maxSignatureCharacters;
  if (!isFine)
    throw new ActionError(
      'Invalid',
      'An announced certificate is an object with pem, a certificate in PEM, and signature, in base64.',
    );
  return { pem, signature };
}

function parsed(pem: string): { readonly certificate: X509Certificate; readonly key: KeyObject } {
  try {
    const certificate = new X509Certificate(pem);
    // Throws for a key of a kind or curve that is not known.
    return { certificate, key: certificate.publicKey };
  } catch {
    throw new ActionError('Invalid', 'The new certificate is no certificate in PEM.');
  }
}

/** Keys that take long to check, or are weak, are none of those that devices make. */
function isSigned(key: KeyObject, signed: Buffer, signature: Buffer): boolean {
  const isCurve = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  if (!isCurve && key.asymmetricKeyType !== 'ed25519')
    throw new ActionError('Invalid', 'The key of a new certificate is one of ECDSA P-256 or Ed25519.');
  const publicKey = createPublicKey(key.export({ type: 'spki', format: 'pem' }));
  return verify(isCurve ? 'sha256' : null, signed, publicKey, signature);
}
