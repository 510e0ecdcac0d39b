import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { extendUpload } from '../../store/asset-uploads.ts';

/** Extends the lease of a writer whose bytes still come. */
export const ExtendAssetUpload: Handler<'repositories_ExtendAssetUpload'> = {
  isOneStatement: () => true,

  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input: { assetId, leaseId }, now }) {
    return { isHeld: await extendUpload(tx, { assetId: ids.asset.raw(assetId), leaseId, now }) };
  },
};
