// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { BeginAssetUpload } from './BeginAssetUpload.ts';
import { ChangeMultipartUpload } from './ChangeMultipartUpload.ts';
import { ClaimAssetStores } from './ClaimAssetStores.ts';
import { CompleteAssetUploads } from './CompleteAssetUploads.ts';
import { CreateAsset } from './CreateAsset.ts';
import { DeleteAsset } from './DeleteAsset.ts';
import { DeleteMarkedAsset } from './DeleteMarkedAsset.ts';
import { ExtendAssetUpload } from './ExtendAssetUpload.ts';
import { FinalizeAssetUpload } from './FinalizeAssetUpload.ts';
import { FindAssetStores } from './FindAssetStores.ts';
import { FindAssetsByKey } from './FindAssetsByKey.ts';
import { FindAssetsToCheck } from './FindAssetsToCheck.ts';
import { GetAssetChunks } from './GetAssetChunks.ts';
import { GetAssetDetails } from './GetAssetDetails.ts';
import { GetAssetUrlKey } from './GetAssetUrlKey.ts';
import { GetObjectStore } from './GetObjectStore.ts';
import { GetRepositoryS3Config } from './GetRepositoryS3Config.ts';
import { GetS3Config } from './GetS3Config.ts';
import { IssueAssetDownloadUrl } from './IssueAssetDownloadUrl.ts';
import { IssueAssetUploadUrl } from './IssueAssetUploadUrl.ts';
import { LeaseMarkedAsset } from './LeaseMarkedAsset.ts';
import { MarkCollectableAssets } from './MarkCollectableAssets.ts';
import { MarkStrayObject } from './MarkStrayObject.ts';
import { OpenAssetDownload } from './OpenAssetDownload.ts';
import { QueryAssetReferences } from './QueryAssetReferences.ts';
import { QueryRepositoryAssets } from './QueryRepositoryAssets.ts';
import { ReleaseAssetUpload } from './ReleaseAssetUpload.ts';
import { RemoveS3Config } from './RemoveS3Config.ts';
import { ReportAssetCheck } from './ReportAssetCheck.ts';
import { RetryAssetCheck } from './RetryAssetCheck.ts';
import { SetRepositoryS3Config } from './SetRepositoryS3Config.ts';
import { SetS3Config } from './SetS3Config.ts';

/** The actions of this domain by wire name. */
export const assetsActions = {
  repositories_BeginAssetUpload: BeginAssetUpload,
  repositories_ChangeMultipartUpload: ChangeMultipartUpload,
  repositories_ClaimAssetStores: ClaimAssetStores,
  repositories_CompleteAssetUploads: CompleteAssetUploads,
  repositories_CreateAsset: CreateAsset,
  repositories_DeleteAsset: DeleteAsset,
  repositories_DeleteMarkedAsset: DeleteMarkedAsset,
  repositories_ExtendAssetUpload: ExtendAssetUpload,
  repositories_FinalizeAssetUpload: FinalizeAssetUpload,
  repositories_FindAssetStores: FindAssetStores,
  repositories_FindAssetsByKey: FindAssetsByKey,
  repositories_FindAssetsToCheck: FindAssetsToCheck,
  repositories_GetAssetChunks: GetAssetChunks,
  repositories_GetAssetDetails: GetAssetDetails,
  repositories_GetAssetUrlKey: GetAssetUrlKey,
  repositories_GetObjectStore: GetObjectStore,
  repositories_GetRepositoryS3Config: GetRepositoryS3Config,
  repositories_GetS3Config: GetS3Config,
  repositories_IssueAssetDownloadUrl: IssueAssetDownloadUrl,
  repositories_IssueAssetUploadUrl: IssueAssetUploadUrl,
  repositories_LeaseMarkedAsset: LeaseMarkedAsset,
  repositories_MarkCollectableAssets: MarkCollectableAssets,
  repositories_MarkStrayObject: MarkStrayObject,
  repositories_OpenAssetDownload: OpenAssetDownload,
  repositories_QueryAssetReferences: QueryAssetReferences,
  repositories_QueryRepositoryAssets: QueryRepositoryAssets,
  repositories_ReleaseAssetUpload: ReleaseAssetUpload,
  repositories_RemoveS3Config: RemoveS3Config,
  repositories_ReportAssetCheck: ReportAssetCheck,
  repositories_RetryAssetCheck: RetryAssetCheck,
  repositories_SetRepositoryS3Config: SetRepositoryS3Config,
  repositories_SetS3Config: SetS3Config,
};
