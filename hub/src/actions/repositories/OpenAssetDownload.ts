import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { findStoredAsset } from '../../store/asset-uploads.ts';
import { toFound } from '../../store/assets.ts';

/** Returns where the bytes of an asset are, for a reader with a signed URL. */
export const OpenAssetDownload: Handler<'repositories_OpenAssetDownload'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input }) {
    return toFound(await findStoredAsset(tx, ids.asset.raw(input.assetId)));
  },
};
