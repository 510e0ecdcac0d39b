import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { pairingKeySymbols, type PairingKeyParts } from '@corral/contract';

/** A new pairing key: six symbols that name it, and four that prove it. */
export function newPairingKey(): PairingKeyParts {
  return { selector: randomPart(6), secret: randomPart(4) };
}

/** The stored form of a pairing key: a digest under a key of the instance, since its secret alone is guessed at once. */
export function digestOf(key: Buffer, { selector, secret }: PairingKeyParts): Buffer {
  return createHmac('sha256', key).update(`${selector}-${secret}`).digest();
}

/** Compares digests in constant time. */
export function isDigest(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(one, other);
}

function randomPart(length: number): string {
  return Array.from({ length }, () => pairingKeySymbols[randomInt(pairingKeySymbols.length)]).join('');
}
