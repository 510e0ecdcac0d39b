import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import type { AssetReader } from '../../../auth/asset-url.ts';
import { findAssetOfReader } from '../policy/asset-readers.ts';
import { findStoredAsset } from '../sql/asset-uploads.ts';
import { toFound, type FoundAsset } from '../sql/assets.ts';

/** Returns where the bytes of an asset are, for a reader with a signed URL, whose rights may have ended since it was issued. */
export const OpenAssetDownload: Internal<
  { assetId: Id<'asset'>; reader?: AssetReader | undefined },
  FoundAsset | { result: 'NotFound' | 'NotReadable' }
> = {
  name: 'repositories_OpenAssetDownload',
  isQuery: true,
  async run({ tx, input, now }) {
    const assetId = ids.asset.raw(input.assetId);
    if (input.reader === undefined) return toFound(await findStoredAsset(tx, assetId));
    const asset = await findAssetOfReader(tx, { assetId, reader: input.reader, now });
    return asset?.is_readable === false ? { result: 'NotReadable' } : toFound(asset);
  },
};
