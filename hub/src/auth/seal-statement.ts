import { createPrivateKey, createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';

/** The last row that a seal contains, in the order of the rows. */
export type RecordCursor = readonly [position: number, id: string];

/** What a seal says about the audit log. */
export interface SealStatement {
  /** 1, 2, 3, … */
  readonly seal: number;
  /** RFC 3339, UTC. */
  readonly sealedAt: string;
  /** The digest of the seal before, in hex; zeros for the first one. */
  readonly previous: string;
  /** The root over the leaves of its rows, in hex. */
  readonly root: string;
  /** How many rows it has. */
  readonly actions: number;
  readonly events: number;
  /** The end of its range; the range begins after that of the seal before. */
  readonly lastAction: RecordCursor;
  readonly lastEvent: RecordCursor;
}

/** A statement as it is stored, logged and exported. */
export interface SignedStatement {
  /** The JSON that is signed. */
  readonly statement: string;
  readonly signature: Buffer;
}

/** The digest before the first seal. */
export const noSeal = '0'.repeat(64);

/** Before all rows. */
export const recordStart: RecordCursor = [-1, ''];

/** Everything of an Ed25519 key in PKCS #8 but its 32 bytes. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The Ed25519 key that a seed of 32 bytes stands for. */
export function sealingKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' });
}

/** The public key of seals as people compare it, of a private or a public key: the 32 bytes in base64. */
export function publicKeyText(key: KeyObject): string {
  const { x = '' } = (key.type === 'public' ? key : createPublicKey(key)).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** Reads what `publicKeyText` wrote. Throws an Error for anything else. */
export function publicKeyOf(text: string): KeyObject {
  const x = Buffer.from(text, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** Signs a statement. */
export function signStatement(key: KeyObject, statement: SealStatement): SignedStatement {
  const text = JSON.stringify(statement);
  return { statement: text, signature: signText(key, text) };
}

/** Signs a text with the key of seals. */
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

/** The digest by which the next seal names this one, in hex. */
export function digestOf({ statement, signature }: SignedStatement): string {
  return hash('sha256', Buffer.concat([Buffer.from(statement), signature]), 'hex');
}
