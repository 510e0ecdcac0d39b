import { StorageError } from '../../assets/asset-storage.ts';
import { partsOfKey } from '../../assets/storage-key.ts';
import { newRawId } from '../../auth/random.ts';
import type { Handler, HandlerContext } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { addStrayObject, lockKeptElsewhere } from '../../store/asset-collection.ts';

/**
 * Adds a row for a stored object that has none, so that it is deleted like an asset: whoever creates the asset of these bytes meanwhile waits for the same lock.
 * What is left where an asset was before it moved has a row, which is locked while the object is deleted. An object with another kind of key is not ours.
 */
export const MarkStrayObject: Handler<'repositories_MarkStrayObject'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run(context) {
    const { tx, input, now } = context;
    const { storeId = null, storageKey, size } = input;
    const parts = partsOfKey(storageKey);
    if (parts === undefined) return {};
    const stray = { ...parts, assetId: newRawId(), storeId, storageKey, size, now };
    if (await addStrayObject(tx, stray)) return {};
    return (await lockKeptElsewhere(tx, stray)) ? deleteObject(context) : {};
  },
};

type Context = HandlerContext<'repositories_MarkStrayObject'>;

async function deleteObject({ storages, input }: Context): Promise<{ problem?: string }> {
  try {
    await (await storages.of(input.storeId ?? null)).delete(input.storageKey);
    return {};
  } catch (error) {
    if (error instanceof StorageError) return { problem: error.message };
    throw error;
  }
}
