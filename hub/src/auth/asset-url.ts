import { createHmac, createSecretKey, hash, timingSafeEqual, type KeyObject } from 'node:crypto';

/** The purpose of the instance key that signs these URLs. */
export const assetUrlKeyPurpose = 'asset-urls';

/** How long an upload URL is valid, in seconds. */
export const uploadUrlSecs = 3600;

/** How long a download URL is valid, in seconds: people download at once, devices over slow networks. */
export const downloadUrlSecs = { person: 900, device: 86_400 } as const;

/** Whether a URL permits writing or reading the bytes of an asset. */
export type AssetUrlPurpose = 'upload' | 'download';

/** The access that a URL gives to its holder. */
export interface AssetUrlGrant {
  readonly purpose: AssetUrlPurpose;
  /** The asset, with the tag of its id. */
  readonly assetId: string;
  readonly expiresAtSecs: number;
  /** The name under which browsers save a download. */
  readonly filename?: string | undefined;
}

/** Why a URL is refused. */
export type AssetUrlFault = 'Expired' | 'Altered' | 'OldKey';

/** The path and query of a URL that grants access to one asset. */
export function signAssetPath(key: Buffer, grant: AssetUrlGrant): string {
  const query = new URLSearchParams({ expires: String(grant.expiresAtSecs), key: signingKeyOf(key).id });
  if (grant.filename !== undefined) query.set('filename', grant.filename);
  query.set('signature', signatureOf(key, grant).toString('base64url'));
  return `/r/assets/${grant.assetId}?${query.toString()}`;
}

/** Verifies the query of a URL for an asset; returns its grant, or why it is refused. */
export function readAssetUrl(
  key: Buffer,
  { purpose, assetId }: Pick<AssetUrlGrant, 'purpose' | 'assetId'>,
  query: URLSearchParams,
  nowSecs: number,
): AssetUrlGrant | AssetUrlFault {
  if (query.get('key') !== signingKeyOf(key).id) return query.has('key') ? 'OldKey' : 'Altered';
  const expiresAtSecs = Number(query.get('expires'));
  const grant = { purpose, assetId, expiresAtSecs, filename: query.get('filename') ?? undefined };
  const presented = Buffer.from(query.get('signature') ?? '', 'base64url');
  const expected = signatureOf(key, grant);
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return 'Altered';
  return expiresAtSecs > nowSecs ? grant : 'Expired';
}

function signatureOf(key: Buffer, { purpose, assetId, expiresAtSecs, filename }: AssetUrlGrant): Buffer {
  const signed = JSON.stringify([purpose, assetId, expiresAtSecs, filename ?? null]);
  return createHmac('sha256', signingKeyOf(key).secret).update(signed).digest();
}

interface SigningKey {
  /** Identifies the key without revealing anything about it. */
  readonly id: string;
  readonly secret: KeyObject;
}

/** A cache: deriving a key takes six times as long as signing with it. */
const signingKeys = new WeakMap<Buffer, SigningKey>();

function signingKeyOf(key: Buffer): SigningKey {
  const cached = signingKeys.get(key);
  if (cached !== undefined) return cached;
  const id = hash('sha256', `asset url key ${key.toString('hex')}`, 'base64url').slice(0, 8);
  const created = { id, secret: createSecretKey(key) };
  signingKeys.set(key, created);
  return created;
}
