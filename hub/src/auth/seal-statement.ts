import { createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';

/** The sort key of the last row in a seal. */
export type AuditLogCursor = readonly [position: number, id: string];

/** The content of a seal over rows of the audit log. */
export interface SealStatement {
  /** 1, 2, 3, … */
  readonly seal: number;
  /** RFC 3339, UTC. */
  readonly sealedAt: string;
  /** The digest of the previous seal, in hex; zeros in the first one. */
  readonly previous: string;
  /** The Merkle root over its rows, in hex. */
  readonly root: string;
  /** The numbers of its rows. */
  readonly actions: number;
  readonly events: number;
  /** The last rows of its range, which begins after that of the previous seal. */
  readonly lastAction: AuditLogCursor;
  readonly lastEvent: AuditLogCursor;
}

/** A statement as it is stored, logged and exported. */
export interface SignedStatement {
  /** The JSON that is signed. */
  readonly statement: string;
  readonly signature: Buffer;
}

/** The `previous` of the first seal. */
export const noPreviousDigest = '0'.repeat(64);

/** The position before all rows. */
export const beforeFirstRow: AuditLogCursor = [-1, ''];

/** The public key of a private or public key, as its 32 bytes in base64. */
export function publicKeyText(key: KeyObject): string {
  const { x = '' } = (key.type === 'public' ? key : createPublicKey(key)).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** Parses the text of a public key. Throws an Error for any other text. */
export function publicKeyOf(text: string): KeyObject {
  const x = Buffer.from(text, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** Signs a statement. */
export function signStatement(key: KeyObject, statement: SealStatement): SignedStatement {
  const text = JSON.stringify(statement);
  return { statement: text, signature: signText(key, text) };
}

/** Signs a text with the sealing key. */
export function signText(key: KeyObject, text: string): Buffer {
  return sign(null, Buffer.from(text), key);
}

/** Whether the key has signed the text. */
export function isSigned(key: KeyObject, text: string, signature: Buffer): boolean {
  return verify(null, Buffer.from(text), key, signature);
}

/** The statement of a seal. */
export function parseStatement({ statement }: SignedStatement): SealStatement {
  return JSON.parse(statement) as SealStatement;
}

/** The digest of a seal, in hex, which the next seal contains as `previous`. */
export function digestOf({ statement, signature }: SignedStatement): string {
  return hash('sha256', Buffer.concat([Buffer.from(statement), signature]), 'hex');
}
