import { createHmac, createSecretKey, hash, timingSafeEqual, type KeyObject } from 'node:crypto';
import { ids, type Id } from '@corral/contract';

/** The purpose of the instance key that signs these URLs. */
export const assetUrlKeyPurpose = 'asset-urls';

/** How long an upload URL is valid, in seconds. */
export const uploadUrlSecs = 3600;

/** How long a download URL is valid, in seconds: people download at once, devices over slow networks. */
export const downloadUrlSecs = { person: 900, device: 86_400 } as const;

/** Whether a URL permits writing or reading the bytes of an asset. */
export type AssetUrlPurpose = 'upload' | 'download';

/** Who asked for a URL: a device, or a user in a session or by a token. */
export type AssetReader =
  | { readonly deviceId: Id<'device'> }
  | { readonly userId: Id<'user'>; readonly tokenId?: Id<'userTokenId'> | undefined };

/** The access that a URL gives to its holder. */
export interface AssetUrlGrant {
  readonly purpose: AssetUrlPurpose;
  /** The asset, with the tag of its id. */
  readonly assetId: string;
  readonly expiresAtSecs: number;
  /** The name under which browsers save a download. */
  readonly filename?: string | undefined;
  /** The URL is refused when this one may not read the asset any more, or for an upload not write it. URLs of releases before this one have none. */
  readonly reader?: AssetReader | undefined;
}

/** Why a URL is refused. */
export type AssetUrlFault = 'Expired' | 'Altered' | 'OldKey';

/** The path and query of a URL that grants access to one asset. */
export function signAssetPath(key: Buffer, grant: AssetUrlGrant): string {
  const query = new URLSearchParams({ expires: String(grant.expiresAtSecs), key: signingKeyOf(key).id });
  if (grant.filename !== undefined) query.set('filename', grant.filename);
  const reader = grant.reader === undefined ? undefined : textOf(grant.reader);
  if (reader !== undefined) query.set('reader', reader);
  query.set('signature', signatureOf(key, { ...grant, reader }).toString('base64url'));
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
  const reader = query.get('reader') ?? undefined;
  const presented = Buffer.from(query.get('signature') ?? '', 'base64url');
  const expected = signatureOf(key, { ...grant, reader });
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return 'Altered';
  if (expiresAtSecs <= nowSecs) return 'Expired';
  return { ...grant, reader: reader === undefined ? undefined : readerOf(reader) };
}

/** The ids of a reader, joined. */
const textOf = (reader: AssetReader): string =>
  'deviceId' in reader ? reader.deviceId : [reader.userId, reader.tokenId ?? []].flat().join('.');

/** Reads what `textOf` wrote and the hub has signed. */
function readerOf(text: string): AssetReader {
  const [first = '', second] = text.split('.');
  const device = ids.device.schema.safeParse(first);
  if (device.success) return { deviceId: device.data };
  const tokenId = second === undefined ? {} : { tokenId: ids.userTokenId.schema.parse(second) };
  return { userId: ids.user.schema.parse(first), ...tokenId };
}

interface SignedText extends Omit<AssetUrlGrant, 'reader'> {
  readonly reader: string | undefined;
}

/** Without a reader, the text is that of releases before this one, so that their URLs stay valid for their time. */
function signatureOf(key: Buffer, { purpose, assetId, expiresAtSecs, filename, reader }: SignedText): Buffer {
  const readers = reader === undefined ? [] : [reader];
  const signed = JSON.stringify([purpose, assetId, expiresAtSecs, filename ?? null, ...readers]);
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
