// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { CreateAsset } from './CreateAsset.ts';
import { DeleteAsset } from './DeleteAsset.ts';
import { FinalizeAssetUpload } from './FinalizeAssetUpload.ts';
import { GetAssetChunks } from './GetAssetChunks.ts';
import { GetAssetDetails } from './GetAssetDetails.ts';
import { GetObjectStore } from './GetObjectStore.ts';
import { GetRepositoryS3Config } from './GetRepositoryS3Config.ts';
import { GetS3Config } from './GetS3Config.ts';
import { IssueAssetDownloadUrl } from './IssueAssetDownloadUrl.ts';
import { IssueAssetUploadUrl } from './IssueAssetUploadUrl.ts';
import { QueryAssetReferences } from './QueryAssetReferences.ts';
import { QueryRepositoryAssets } from './QueryRepositoryAssets.ts';
import { RemoveS3Config } from './RemoveS3Config.ts';
import { RetryAssetCheck } from './RetryAssetCheck.ts';
import { SetRepositoryS3Config } from './SetRepositoryS3Config.ts';
import { SetS3Config } from './SetS3Config.ts';

/** The actions of this domain by wire name. */
export const assetsActions = {
  repositories_CreateAsset: CreateAsset,
  repositories_DeleteAsset: DeleteAsset,
  repositories_FinalizeAssetUpload: FinalizeAssetUpload,
  repositories_GetAssetChunks: GetAssetChunks,
  repositories_GetAssetDetails: GetAssetDetails,
  repositories_GetObjectStore: GetObjectStore,
  repositories_GetRepositoryS3Config: GetRepositoryS3Config,
  repositories_GetS3Config: GetS3Config,
  repositories_IssueAssetDownloadUrl: IssueAssetDownloadUrl,
  repositories_IssueAssetUploadUrl: IssueAssetUploadUrl,
  repositories_QueryAssetReferences: QueryAssetReferences,
  repositories_QueryRepositoryAssets: QueryRepositoryAssets,
  repositories_RemoveS3Config: RemoveS3Config,
  repositories_RetryAssetCheck: RetryAssetCheck,
  repositories_SetRepositoryS3Config: SetRepositoryS3Config,
  repositories_SetS3Config: SetS3Config,
};
