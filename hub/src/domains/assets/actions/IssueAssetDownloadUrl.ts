import {
  ActionError,
  characterCount,
  ids,
  isDamaged,
  maxFilenameCharacters,
  type Actor,
} from '@corral/contract';
import { sql } from 'kysely';
import { assetUrlKeyPurpose, downloadUrlSecs, signAssetPath } from '../../../auth/asset-url.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { instanceKey } from '../../instance/index.ts';
import { mustReadAsset } from '../../repositories/index.ts';
import { readerOf } from '../policy/asset-readers.ts';
import { findStoredAsset } from '../sql/asset-uploads.ts';
import type { StoredAsset } from '../sql/assets.ts';
import { contentDisposition } from '../storage/content-disposition.ts';

type Context = HandlerContext<'repositories_IssueAssetDownloadUrl'>;

/** Issues a URL from which anyone who has it can download an asset for a while, as long as the actor may read it. The log has the first one of an actor within an hour. */
export const IssueAssetDownloadUrl: Handler<'repositories_IssueAssetDownloadUrl'> = {
  authorize: ({ tx, actor, input }) => mustReadAsset(tx, actor, input.assetId),

  async run(context) {
    const { tx, actor, input, now } = context;
    const asset = await findStoredAsset(tx, ids.asset.raw(input.assetId));
    mustBeAvailable(asset);
    if (characterCount(input.filename ?? '') > maxFilenameCharacters)
      throw new ActionError('Invalid', `The filename may have at most ${maxFilenameCharacters} characters.`);
    const ttlSecs = actor.actor === 'Device' ? downloadUrlSecs.device : downloadUrlSecs.person;
    const expiresAtSecs = Math.floor(now.getTime() / 1000) + ttlSecs;
    const url = (await directUrl(context, asset, ttlSecs)) ?? (await hubUrl(context, expiresAtSecs));
    const expiresAt = new Date(expiresAtSecs * 1000).toISOString();
    if (await recordDownload(tx, { assetId: asset.asset_id, actor, now }))
      context.emit('repositories_AssetDownloadIssued', {
        repositoryId: ids.repository.of(asset.repository_id),
        assetId: input.assetId,
      });
    return { url, size: asset.size, digest: asset.digest, expiresAt };
  },
};

function mustBeAvailable(asset: StoredAsset | undefined): asserts asset is StoredAsset {
  if (asset?.status === 'Available') return;
  throw new ActionError('Invalid', 'The bytes of the asset have not been uploaded yet.');
}

/** Only the hub itself can say that bytes are damaged; their store would hand them out, or answer without a reason. */
async function directUrl({ input, storages }: Context, asset: StoredAsset, ttlSecs: number) {
  if (asset.store_id === null || isDamaged(asset.storage_status)) return undefined;
  const { direct } = await storages.of(asset.store_id);
  return direct?.presignGet(asset.storage_key, {
    ttlSecs,
    contentDisposition: contentDisposition(input.filename),
  });
}

async function hubUrl(context: Context, expiresAtSecs: number): Promise<string> {
  const { assetId, filename } = context.input;
  const key = await instanceKey(context, assetUrlKeyPurpose);
  const grant = { assetId, expiresAtSecs, filename, reader: readerOf(context.actor) };
  return context.origins.console + signAssetPath(key, { purpose: 'download', ...grant });
}

const recordedForMs = 3_600_000;
/** How many expired rows a call deletes: more than it adds, so that the table keeps little more than the downloads of an hour. */
const removedAtOnce = 10;

/**
 * Records a download of an asset, by raw id, and returns whether it belongs in the audit log: true for the first one of the actor within
 * an hour. Concurrent calls, on any node, wait for each other's transaction, and one of them gets true. Also deletes some expired rows.
 */
async function recordDownload(
  tx: Database,
  { assetId, actor, now }: { readonly assetId: string; readonly actor: Actor; readonly now: Date },
): Promise<boolean> {
  const before = new Date(now.getTime() - recordedForMs);
  const key = sql`actor_key(${JSON.stringify(actor)}::jsonb)`;
  const { rows } = await sql`
    with old as (
      select r.asset_id, r.actor_key from recorded_downloads r
      where r.recorded_at <= ${before} and (r.asset_id, r.actor_key) <> (${assetId}, ${key})
      order by r.recorded_at limit ${removedAtOnce} for update skip locked
    ), removed as (
      delete from recorded_downloads r using old where (r.asset_id, r.actor_key) = (old.asset_id, old.actor_key)
    )
    insert into recorded_downloads as r (asset_id, actor_key, recorded_at) values (${assetId}, ${key}, ${now})
    on conflict (asset_id, actor_key) do update set recorded_at = excluded.recorded_at
      where r.recorded_at <= ${before}
    returning 1`.execute(tx);
  return rows.length > 0;
}
