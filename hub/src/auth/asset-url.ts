import { createHmac, createSecretKey, hash, timingSafeEqual, type KeyObject } from 'node:crypto';

/** The purpose under which the instance keeps the key of these URLs. */
export const assetUrlKeyPurpose = 'asset-urls';

/** How long an upload URL is valid, in seconds. */
export const uploadUrlSecs = 3600;

/** How long a download URL is valid, in seconds: people download at once, devices over bad lines. */
export const downloadUrlSecs = { person: 900, device: 86_400 } as const;

/** What a URL allows: to write the bytes of an asset, or to read them. */
export type AssetUrlPurpose = 'upload' | 'download';

/** What a URL allows to whoever has it. */
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

/** Checks the query of a URL for an asset; returns what it grants, or why it is refused. */
export function readAssetUrl(
  key: Buffer,
  { purpose, assetId }: Pick<AssetUrlGrant, 'purpose' | 'assetId'>,
  query: URLSearchParams,
  nowSecs: number,
): AssetUrlGrant | AssetUrlFault {
  if (query.get('key') !== signingKeyOf(key).id) return query.has('key') ? 'OldKey' : 'Altered';
  const expiresAtSecs = Number(query.get('expires'));
  const grant = { purpose, assetId, expiresAtSecs, filename: query.get('filename') ?? undefined };
  const given = Buffer.from(query.get('signature') ?? '', 'base64url');
  const right = signatureOf(key, grant);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return 'Altered';
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

/** Preparing a key takes six times as long as signing with it. */
const signingKeys = new WeakMap<Buffer, SigningKey>();

function signingKeyOf(key: Buffer): SigningKey {
  const known = signingKeys.get(key);
  if (known !== undefined) return known;
  const id = hash('sha256', `asset url key ${key.toString('hex')}`, 'base64url').slice(0, 8);
  const made = { id, secret: createSecretKey(key) };
  signingKeys.set(key, made);
  return made;
}
