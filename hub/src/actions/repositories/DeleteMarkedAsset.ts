import { ids } from '@corral/contract';
import { StorageError } from '../../assets/asset-storage.ts';
import type { Handler, HandlerContext } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { lockMarked } from '../../store/asset-collection.ts';
import { deleteAssetRow } from '../../store/asset-deletion.ts';
import type { StoredAsset } from '../../store/assets.ts';
import { allowSlowStore } from '../../store/long-deletes.ts';

type Context = HandlerContext<'repositories_DeleteMarkedAsset'>;

/**
 * Deletes the bytes of a marked asset, then its row. The row is locked meanwhile: whoever creates the same asset again waits, and then makes a new one. A crash
 * in between leaves a marked row, for which this runs again.
 */
export const DeleteMarkedAsset: Handler<'repositories_DeleteMarkedAsset'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run(context) {
    const { tx, input, emit } = context;
    const asset = await lockMarked(
      tx,
      input.except.map((id) => ids.asset.raw(id)),
    );
    if (asset === undefined) return { result: 'None' };
    const assetId = ids.asset.of(asset.asset_id);
    const why = await deleteBytes(context, asset);
    if (why !== undefined) return { result: 'Failed', assetId, why };
    await deleteAssetRow(tx, asset.asset_id);
    emit('repositories_AssetChecked', { repositoryId: ids.repository.of(asset.repository_id), assetId });
    return { result: 'Deleted', assetId };
  },
};

async function deleteBytes({ tx, storages }: Context, asset: StoredAsset): Promise<string | undefined> {
  await allowSlowStore(tx);
  try {
    const storage = await storages.of(asset.store_id);
    if (asset.multipart_id !== null) await storage.multipart?.abort(asset.storage_key, asset.multipart_id);
    await storage.delete(asset.storage_key);
    await storages.disk.partials.discard(asset.asset_id);
    return undefined;
  } catch (error) {
    if (error instanceof StorageError) return error.message;
    throw error;
  }
}
