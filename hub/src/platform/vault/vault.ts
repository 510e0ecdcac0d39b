import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** An encrypted secret (AES-256-GCM) with the id of its key. */
export interface Sealed {
  readonly keyId: string;
  /** Nonce, tag and ciphertext, concatenated. */
  readonly bytes: Buffer;
}

/** Encrypts secrets for the database and decrypts them. */
export interface Vault {
  /** The id of the key that encrypts. Secrets under another key are encrypted again when they are read. */
  readonly keyId: string;
  /** Encrypts. `place` names table and row and is authenticated: a secret cannot be decrypted for another row. */
  seal(secret: Buffer, place: string): Sealed;
  /** Decrypts. Throws an Error that names a missing key, or when the bytes were changed. */
  open(sealed: Sealed, place: string): Buffer;
  /** Whether it has a key. */
  has(keyId: string): boolean;
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** The length of a key in bytes. */
export const vaultKeyBytes = 32;

/** Builds the vault: the first key encrypts, all of them decrypt. */
export function createVault([first, ...others]: readonly [Buffer, ...Buffer[]]): Vault {
  const keys = new Map([first, ...others].map((key) => [idOf(key), key]));
  const keyId = idOf(first);
  return {
    keyId,
    has: (id) => keys.has(id),
    seal(secret, place) {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, first, nonce, { authTagLength: tagBytes });
      sealing.setAAD(Buffer.from(place));
      const ciphertext = Buffer.concat([sealing.update(secret), sealing.final()]);
      return { keyId, bytes: Buffer.concat([nonce, sealing.getAuthTag(), ciphertext]) };
    },
    open({ keyId: id, bytes }, place) {
      const key = keys.get(id);
      if (key === undefined) throw new Error(`The secret key ${id} is missing.`);
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      opening.setAAD(Buffer.from(place));
      opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]);
    },
  };
}

/** Identifies a key without revealing anything about it. */
function idOf(key: Buffer): string {
  return createHmac('sha256', key).update('corral vault key').digest('hex').slice(0, 16);
}
