import type { ActionName } from '@corral/contract';

/** Actions of the contract that this hub does not implement yet; the list may only get shorter. */
export const unavailableActions = [
  'users_QueryUserProjectInvitations',
  'users_QueryUserRepositoryInvitations',
  'users_AcceptProjectInvitation',
  'users_AcceptRepositoryInvitation',
  'projects_QueryProjectInvitations',
  'projects_InviteProjectMember',
  'projects_DeleteProjectInvitation',
  'repositories_QueryRepositoryAssets',
  'repositories_QueryRepositoryInvitations',
  'repositories_InviteRepositoryMember',
  'repositories_DeleteRepositoryInvitation',
  'repositories_GetAssetDetails',
  'repositories_CreateAsset',
  'repositories_DeleteAsset',
  'repositories_IssueAssetDownloadUrl',
  'repositories_IssueAssetUploadUrl',
  'repositories_QueryAssetReferences',
  'repositories_GetAssetChunks',
  'repositories_FinalizeAssetUpload',
  'repositories_RetryAssetCheck',
  'repositories_GetAssetUrlKey',
  'repositories_BeginAssetUpload',
  'repositories_ExtendAssetUpload',
  'repositories_CompleteAssetUpload',
  'repositories_ReleaseAssetUpload',
  'repositories_OpenAssetDownload',
  'repositories_ResolvePublicFile',
  'repositories_MarkCollectableAssets',
  'repositories_DeleteMarkedAsset',
  'repositories_QueryAssetsToCheck',
  'repositories_ReportAssetCheck',
  'repositories_QueryAssetStores',
  'repositories_QueryAssetsByKey',
  'instance_GetInstanceSettingsRaw',
  'instance_SetInstanceSettingRaw',
] as const satisfies readonly ActionName[];

/** The name of an action that is not implemented yet. */
export type UnavailableAction = (typeof unavailableActions)[number];
