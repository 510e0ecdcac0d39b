import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { deleteLeasedRow } from '../sql/asset-deletion.ts';

/** Deletes the row of a marked asset whose bytes are gone, unless a URL may bring them back; without effect if the lease has ended and somebody else has the asset. */
export const DeleteMarkedAsset: Internal<{ assetId: Id<'asset'>; leaseId: string }, void> = {
  name: 'repositories_DeleteMarkedAsset',
  async run({ tx, input: { assetId, leaseId }, now, emit }) {
    const deleted = await deleteLeasedRow(tx, { assetId: ids.asset.raw(assetId), leaseId, now });
    if (deleted === undefined) return;
    const { repository_id, size, digest, has_repository: hasRepository } = deleted;
    const repositoryId = ids.repository.of(repository_id);
    // The log of a deleted repository is gone, and its deletion is logged itself.
    if (hasRepository) emit('repositories_AssetCollected', { repositoryId, assetId, size, digest });
    else emit('repositories_AssetChecked', { repositoryId, assetId });
  },
};
