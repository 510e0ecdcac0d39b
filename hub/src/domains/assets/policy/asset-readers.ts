import { ids, type Actor } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { AssetReader } from '../../../auth/asset-url.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { storedColumns, type StoredAsset } from '../sql/assets.ts';
import { isReadable, isWritable, type Reader } from '../../repositories/index.ts';

/** An asset that somebody wants to down- or upload by a URL. */
interface Transfer {
  /** Raw. */
  readonly assetId: string;
  readonly reader: AssetReader;
  readonly now: Date;
}

/** Where the bytes of an asset are, and whether its reader may read it now: undefined if there is no such asset. */
export async function findAssetOfReader(
  db: Database,
  { assetId, reader: asked, now }: Transfer,
): Promise<(StoredAsset & { readonly is_readable: boolean }) | undefined> {
  const reader = toReader(asked);
  const { rows } = await sql<StoredAsset & { readonly is_readable: boolean }>`
    select ${storedColumns}, coalesce(${isActive(reader, now)} and ${isReadable(reader)}, false) as is_readable
    from assets a left join repositories r on r.repository_id = a.repository_id where a.asset_id = ${assetId}`.execute(
    db,
  );
  return rows[0];
}

/** SQL for whether whoever asked for an upload URL may write the asset now; the statement's `assets` must be named `a`. */
export function mayWriteNow(asked: AssetReader | undefined, now: Date): RawBuilder<boolean> {
  if (asked === undefined) return sql<boolean>`true`;
  const writer = toReader(asked);
  return sql<boolean>`coalesce((select ${isActive(writer, now)} and ${isWritable(writer)} from repositories r where r.repository_id = a.repository_id), false)`;
}

/** The actor as the reader of a URL; undefined for the hub itself, which may always. */
export function readerOf(actor: Actor): AssetReader | undefined {
  if (actor.actor === 'Device') return { deviceId: actor.deviceId };
  if (actor.actor === 'User') return { userId: actor.userId };
  if (actor.actor === 'UserToken') return { userId: actor.userId, tokenId: actor.tokenId };
  return undefined;
}

function toReader(reader: AssetReader): Reader {
  const nobody = { userId: null, isSession: false, tokenId: null, deviceId: null, isHub: false };
  if ('deviceId' in reader) return { ...nobody, deviceId: ids.device.raw(reader.deviceId) };
  const { userId, tokenId } = reader;
  return {
    ...nobody,
    userId: ids.user.raw(userId),
    isSession: tokenId === undefined,
    tokenId: tokenId === undefined ? null : ids.userTokenId.raw(tokenId),
  };
}

/** SQL for whether the reader could still authenticate: with an active certificate, or as a user who is not disabled, by the token if it came by one. */
function isActive({ userId, tokenId, deviceId }: Reader, now: Date): RawBuilder<boolean> {
  if (deviceId !== null)
    return sql<boolean>`exists (select 1 from devices join device_certificates c using (device_id)
      where device_id = ${deviceId} and c.status = 'Active' and (c.ends_at is null or c.ends_at > ${now}))`;
  const isUser = sql<boolean>`exists (select 1 from users where user_id = ${userId} and disabled_at is null)`;
  if (tokenId === null) return isUser;
  return sql<boolean>`(${isUser} and exists (select 1 from user_tokens t
    where t.token_id = ${tokenId} and t.user_id = ${userId} and (t.expires_at is null or t.expires_at > ${now})))`;
}
