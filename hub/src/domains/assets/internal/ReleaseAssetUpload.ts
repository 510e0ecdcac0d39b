import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { releaseUpload } from '../sql/asset-uploads.ts';

/** Ends the lease of a writer that failed, so that the next one need not wait. */
export const ReleaseAssetUpload: Internal<{ assetId: Id<'asset'>; leaseId: string }, void> = {
  name: 'repositories_ReleaseAssetUpload',
  isOneStatement: () => true,

  async run({ tx, input: { assetId, leaseId } }) {
    await releaseUpload(tx, { assetId: ids.asset.raw(assetId), leaseId });
  },
};
