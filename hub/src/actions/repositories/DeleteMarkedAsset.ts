import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { deleteLeasedRow } from '../../store/asset-deletion.ts';

/** Deletes the row of a marked asset whose bytes are gone; without effect if the lease has ended and somebody else has the asset. */
export const DeleteMarkedAsset: Handler<'repositories_DeleteMarkedAsset'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input: { assetId, leaseId }, emit }) {
    const repositoryId = await deleteLeasedRow(tx, ids.asset.raw(assetId), leaseId);
    if (repositoryId !== undefined)
      emit('repositories_AssetChecked', { repositoryId: ids.repository.of(repositoryId), assetId });
    return {};
  },
};
