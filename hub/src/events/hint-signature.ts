import { createHmac, timingSafeEqual } from 'node:crypto';

/** The first byte of a signed message; that of JSON is another one. */
const signedTag = 1;
const digestBytes = 32;

/** How many bytes a signature adds to a message. */
export const signatureBytes = 1 + digestBytes;

/** Signs messages with a key that all nodes have (HMAC with SHA-256). */
export function signHint(key: Buffer, message: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(signedTag), digestOf(key, message), message]);
}

/** The message that was signed with this key; undefined for any other, and for one without a signature. */
export function verifiedHint(key: Buffer, signed: Uint8Array): Uint8Array | undefined {
  if (signed[0] !== signedTag || signed.length < signatureBytes) return undefined;
  const message = signed.subarray(signatureBytes);
  return timingSafeEqual(digestOf(key, message), signed.subarray(1, signatureBytes)) ? message : undefined;
}

function digestOf(key: Buffer, message: Uint8Array): Buffer {
  return createHmac('sha256', key).update(message).digest();
}
