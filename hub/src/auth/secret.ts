import { createHash, timingSafeEqual } from 'node:crypto';

/** The stored form of a secret: the SHA-256 of its raw part. */
export function hashSecret(raw: string): Buffer {
  return createHash('sha256').update(raw).digest();
}

/** The public id inside a raw secret, by which it is looked up. */
export function lookupKey(raw: string): string {
  return raw.slice(0, 22);
}

/** Compares a raw secret with a stored hash in constant time. */
export function isSecret(raw: string, storedHash: Buffer): boolean {
  return timingSafeEqual(hashSecret(raw), storedHash);
}
