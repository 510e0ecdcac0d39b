import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeHub } from '../../users/index.ts';
import { leaseMarked } from '../sql/asset-collection.ts';
import { toStored } from '../sql/assets.ts';

/**
 * Leases a marked asset to whoever deletes its bytes. No row is locked while the store answers: whoever creates the same asset again is told to wait. A crash leaves a
 * marked row whose lease ends.
 */
export const LeaseMarkedAsset: Handler<'repositories_LeaseMarkedAsset'> = {
  isOneStatement: () => true,

  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input: { leaseId, except, exceptStores = [] }, now }) {
    const assetIds = except.map((id) => ids.asset.raw(id));
    const asset = await leaseMarked(tx, { assetIds, storeIds: exceptStores }, { leaseId, now });
    if (asset === undefined) return { result: 'None' };
    const multipart = asset.multipart_id === null ? {} : { multipartId: asset.multipart_id };
    return { result: 'Leased', ...toStored(asset), ...multipart };
  },
};
