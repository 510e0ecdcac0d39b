import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { leaseMarked } from '../sql/asset-collection.ts';
import { toStored, type StoredPlace } from '../sql/assets.ts';

interface Wanted {
  readonly leaseId: string;
  /** Assets whose bytes could not be deleted in this run. */
  readonly except: readonly Id<'asset'>[];
  /** Stores that are left out for the rest of this run: raw ids, and an empty one for the data folder. */
  readonly exceptStores?: readonly string[];
}

interface LeasedAsset extends StoredPlace {
  readonly multipartId?: string;
}

/**
 * Leases a marked asset to whoever deletes its bytes. No row is locked while the store answers: whoever creates the same asset again is told to wait. A crash leaves a
 * marked row whose lease ends.
 */
export const LeaseMarkedAsset: Internal<Wanted, LeasedAsset | undefined> = {
  name: 'repositories_LeaseMarkedAsset',
  isOneStatement: () => true,

  async run({ tx, input: { leaseId, except, exceptStores = [] }, now }) {
    const assetIds = except.map((id) => ids.asset.raw(id));
    const asset = await leaseMarked(tx, { assetIds, storeIds: exceptStores }, { leaseId, now });
    if (asset === undefined) return undefined;
    const multipart = asset.multipart_id === null ? {} : { multipartId: asset.multipart_id };
    return { ...toStored(asset), ...multipart };
  },
};
