import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeHub } from '../../users/index.ts';
import { releaseUpload } from '../sql/asset-uploads.ts';

/** Ends the lease of a writer that failed, so that the next one need not wait. */
export const ReleaseAssetUpload: Handler<'repositories_ReleaseAssetUpload'> = {
  isOneStatement: () => true,

  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input: { assetId, leaseId } }) {
    await releaseUpload(tx, { assetId: ids.asset.raw(assetId), leaseId });
    return {};
  },
};
