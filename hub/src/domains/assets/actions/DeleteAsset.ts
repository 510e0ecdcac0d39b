import { ActionError, ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustWriteAsset } from '../../repositories/index.ts';
import { findReferences, lockAsset, markForDeletion, type Reference } from '../sql/asset-deletion.ts';

/** Deletes an asset that no file refers to. Its bytes are deleted after the commit, so that no row is ever without them. */
export const DeleteAsset: Handler<'repositories_DeleteAsset'> = {
  authorize: ({ tx, actor, input }) => mustWriteAsset(tx, actor, input.assetId),

  async run({ tx, input, now, emit }) {
    const assetId = ids.asset.raw(input.assetId);
    const asset = await lockAsset(tx, assetId, now);
    if (asset === undefined || asset.status === 'Deleting') return {};
    if (asset.is_being_uploaded)
      throw new ActionError('Invalid', 'The asset is being uploaded; try again when that has ended.');
    const references = await findReferences(tx, assetId);
    if (references.count > 0) throw inUse(references.first, references.count);
    await markForDeletion(tx, assetId, now);
    const { repository_id, size, digest } = asset;
    const repositoryId = ids.repository.of(repository_id);
    emit('repositories_AssetDeleted', { repositoryId, assetId: input.assetId, size, digest });
    return {};
  },
};

function inUse(first: Reference | undefined, count: number): ActionError {
  const { packageName = '', versionId, filename = '' } = first ?? {};
  const where = versionId === null ? 'the package' : `version ${ids.packageVersion.of(versionId ?? '')} of`;
  const others = count === 1 ? '' : ` and ${count - 1} more`;
  return new ActionError(
    'Invalid',
    `The asset is the file "${filename}" of ${where} ${packageName}${others}; remove it there first.`,
  );
}
