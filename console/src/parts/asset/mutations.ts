import { actionMutation } from '../../data/action-mutation.ts';

/** Issues a short-lived URL of the bytes of an asset. */
export const issueDownloadUrl = actionMutation('repositories_IssueAssetDownloadUrl', 'log');

/** Deletes an asset that no file refers to. */
export const deleteAsset = actionMutation('repositories_DeleteAsset', 'repositories_AssetDeleted', {
  deletes: ({ assetId }) => assetId,
});
