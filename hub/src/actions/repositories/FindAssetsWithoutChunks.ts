import { ids } from '@corral/contract';
import { chunkBytes } from '../../assets/chunk-size.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { findAssetsWithoutChunks } from '../../store/asset-checks.ts';
import { toStored } from '../../store/assets.ts';

/** Lists the assets that are to be read once, so that clients can verify each MiB of them. */
export const FindAssetsWithoutChunks: Handler<'repositories_FindAssetsWithoutChunks'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input: { after, isDiskLeftOut = false, leftOutStoreIds = [] } }) {
    const afterId = after === undefined ? '' : ids.asset.raw(after);
    const assets = await findAssetsWithoutChunks(tx, afterId, { chunkBytes, isDiskLeftOut, leftOutStoreIds });
    return { assets: assets.map(toStored) };
  },
};
