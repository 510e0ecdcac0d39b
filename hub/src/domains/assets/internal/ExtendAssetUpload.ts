import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { extendUpload } from '../sql/asset-uploads.ts';

/** Extends the lease of a writer whose bytes still come. */
export const ExtendAssetUpload: Internal<{ assetId: Id<'asset'>; leaseId: string }, { isHeld: boolean }> = {
  name: 'repositories_ExtendAssetUpload',
  isOneStatement: () => true,

  async run({ tx, nodeId, input: { assetId, leaseId }, now }) {
    const lease = { assetId: ids.asset.raw(assetId), leaseId, nodeId, now };
    return { isHeld: await extendUpload(tx, lease) };
  },
};
