import { createPrivateKey, type KeyObject } from 'node:crypto';

/** The beginning of every Ed25519 key in PKCS #8 (RFC 8410); the seed follows. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The Ed25519 private key with a seed of 32 bytes. */
export function ed25519PrivateKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
}
