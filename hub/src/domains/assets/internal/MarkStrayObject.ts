import { ids, type Id } from '@corral/contract';
import { partsOfKey } from '../storage/storage-key.ts';
import { newRawId } from '../../../auth/random.ts';
import type { Internal } from '../../../calls/handler.ts';
import { addStrayObject } from '../sql/asset-collection.ts';
import { leaseKeptElsewhere } from '../sql/asset-uploads.ts';

interface StrayObject {
  readonly storeId?: string | undefined;
  readonly storageKey: string;
  readonly size: number;
  readonly leaseId: string;
}

/**
 * Adds a row for a stored object that has none, so that it is deleted like an asset: whoever creates the asset of these bytes meanwhile waits for the same lock.
 * What is left where an asset was before it moved has a row, which is leased: nobody uploads or deletes the asset until the object is gone. An object with another kind
 * of key is not ours.
 */
export const MarkStrayObject: Internal<StrayObject, { leasedAssetId?: Id<'asset'> }> = {
  name: 'repositories_MarkStrayObject',
  async run({ tx, input, now }) {
    const { storeId = null, storageKey, size, leaseId } = input;
    const parts = partsOfKey(storageKey);
    if (parts === undefined) return {};
    const stray = { ...parts, assetId: newRawId(), storeId, storageKey, size, now };
    if (await addStrayObject(tx, stray)) return {};
    const leased = await leaseKeptElsewhere(tx, stray, { leaseId, now });
    return leased === undefined ? {} : { leasedAssetId: ids.asset.of(leased) };
  },
};
