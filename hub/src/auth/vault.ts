import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** A secret as it is kept: AES-256-GCM, with the id of the key that it was sealed under. */
export interface Sealed {
  readonly keyId: string;
  /** Nonce, tag and ciphertext, one behind the other. */
  readonly bytes: Buffer;
}

/** Seals secrets for the database and opens them again. */
export interface Vault {
  /** Of the key that seals; secrets under another one are sealed anew when they are met. */
  readonly keyId: string;
  /** `place` names table and row: a sealed secret opens nowhere else. */
  seal(secret: Buffer, place: string): Sealed;
  /** Throws an Error whose message says which key is missing, or that the bytes were tampered with. */
  open(sealed: Sealed, place: string): Buffer;
  has(keyId: string): boolean;
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** How long a key is, in bytes. */
export const vaultKeyBytes = 32;

/** Builds the vault: the first key seals, each of them opens. */
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

/** Tells keys apart and nothing about them. */
function idOf(key: Buffer): string {
  return createHmac('sha256', key).update('corral vault key').digest('hex').slice(0, 16);
}
