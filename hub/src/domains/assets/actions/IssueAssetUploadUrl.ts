import { ActionError, type Id, ids } from '@corral/contract';
import { assetUrlKeyPurpose, signAssetPath, uploadUrlSecs } from '../../../auth/asset-url.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { readerOf } from '../policy/asset-readers.ts';
import { mustWriteAsset, type AssetAccess } from '../../repositories/index.ts';
import { extendUploadUrl, findUploadTarget } from '../sql/asset-uploads.ts';
import { digestBytes, type StoredAsset } from '../sql/assets.ts';
import { existingInstanceKey, instanceKey } from '../../instance/index.ts';

type Context = HandlerContext<'repositories_IssueAssetUploadUrl'>;

interface Access extends AssetAccess {
  readonly expiresAt: Date;
  /** Undefined unless an upload until then is recorded already. */
  readonly recorded: StoredAsset | undefined;
  /** Undefined before the first URL of all. */
  readonly existingKey: Buffer | undefined;
}

/** Issues the URLs of an upload. All generations of clients find one that they can use. */
export const IssueAssetUploadUrl: Handler<'repositories_IssueAssetUploadUrl', Access> = {
  isOneStatement: () => true,

  async authorize({ tx, actor, input, now, vault }) {
    const expiresAt = new Date(now.getTime() + uploadUrlSecs * 1000);
    const assetId = ids.asset.raw(input.assetId);
    // In one round trip; what is found is for those who may.
    const [access, target, existingKey] = await Promise.all([
      mustWriteAsset(tx, actor, input.assetId),
      findUploadTarget(tx, { assetId, expiresAt }),
      existingInstanceKey({ tx, vault }, assetUrlKeyPurpose),
    ]);
    const recorded = target?.is_recorded === true ? target : undefined;
    return { ...access, expiresAt, recorded, existingKey };
  },

  async run(context, { assetId, expiresAt, recorded, existingKey }) {
    const { tx, actor, input, now, origins } = context;
    const [asset, key] = await Promise.all([
      recorded ?? extendUploadUrl(tx, { assetId, expiresAt, now }),
      existingKey ?? instanceKey(context, assetUrlKeyPurpose),
    ]);
    if (asset === undefined)
      throw new ActionError('Invalid', 'The asset is being deleted; create it again and upload it then.');
    const expiresAtSecs = Math.floor(expiresAt.getTime() / 1000);
    const grant = { assetId: input.assetId, expiresAtSecs, reader: readerOf(actor) };
    const url = origins.console + signAssetPath(key, { purpose: 'upload', ...grant });
    const direct = await directUrl(context, asset);
    return {
      url,
      verifiedUrl: direct?.url ?? url,
      headers: { ...direct?.headers, ...headersOf(input.assetId, asset) },
      resumableUrl: url,
      expiresAt: new Date(expiresAtSecs * 1000).toISOString(),
    };
  },
};

/** The URL of the object store itself, if it refuses wrong bytes by itself and has none yet. */
async function directUrl({ input, storages }: Context, asset: StoredAsset) {
  if (asset.store_id === null || asset.status !== 'Dangling') return undefined;
  const { direct } = await storages.of(asset.store_id);
  return direct?.presignPut(asset.storage_key, {
    sizeBytes: asset.size,
    digest: digestBytes(asset.digest),
    assetId: input.assetId,
    ttlSecs: uploadUrlSecs,
  });
}

/** What clients of 2026 must send; a hub URL checks them. */
function headersOf(assetId: Id<'asset'>, { digest }: StoredAsset): Record<string, string> {
  return {
    'x-amz-meta-nexigon-asset-id': assetId,
    'x-amz-meta-nexigon-digest': digest,
    'if-none-match': '*',
    'x-amz-checksum-sha256': digestBytes(digest).toString('base64'),
  };
}
