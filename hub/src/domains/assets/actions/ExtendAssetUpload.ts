import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeHub } from '../../users/index.ts';
import { extendUpload } from '../sql/asset-uploads.ts';

/** Extends the lease of a writer whose bytes still come. */
export const ExtendAssetUpload: Handler<'repositories_ExtendAssetUpload'> = {
  isOneStatement: () => true,

  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, nodeId, input: { assetId, leaseId }, now }) {
    const lease = { assetId: ids.asset.raw(assetId), leaseId, nodeId, now };
    return { isHeld: await extendUpload(tx, lease) };
  },
};
