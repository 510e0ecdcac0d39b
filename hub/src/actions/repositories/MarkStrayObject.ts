import { newRawId } from '../../auth/random.ts';
import { partsOfKey } from '../../assets/storage-key.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { addStrayObject } from '../../store/asset-collection.ts';

/**
 * Adds a row for a stored object that has none, so that it is deleted like an asset: whoever creates the asset of these bytes meanwhile waits for the same lock.
 * An object with another kind of key is not ours.
 */
export const MarkStrayObject: Handler<'repositories_MarkStrayObject'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input: { storeId = null, storageKey, size }, now }) {
    const parts = partsOfKey(storageKey);
    if (parts !== undefined)
      await addStrayObject(tx, { ...parts, assetId: newRawId(), storeId, storageKey, size, now });
    return {};
  },
};
