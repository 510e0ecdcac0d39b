import { ActionError, characterCount, ids, isDamaged, maxFilenameCharacters } from '@corral/contract';
import { contentDisposition } from '../../assets/content-disposition.ts';
import { assetUrlKeyPurpose, downloadUrlSecs, signAssetPath } from '../../auth/asset-url.ts';
import type { Handler, HandlerContext } from '../../executor/handler.ts';
import { readerOf } from '../../policy/asset-readers.ts';
import { mustReadAsset } from '../../policy/repositories.ts';
import { findStoredAsset } from '../../store/asset-uploads.ts';
import type { StoredAsset } from '../../store/assets.ts';
import { instanceKey } from '../../store/instance-keys.ts';
import { recordDownload } from '../../store/recorded-downloads.ts';

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
