// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { AddPackageAsset } from './AddPackageAsset.ts';
import { AddPackageVersionAsset } from './AddPackageVersionAsset.ts';
import { CompareVersions } from './CompareVersions.ts';
import { CreatePackage } from './CreatePackage.ts';
import { CreatePackageVersion } from './CreatePackageVersion.ts';
import { DeletePackage } from './DeletePackage.ts';
import { DeletePackageVersion } from './DeletePackageVersion.ts';
import { GetPackageDetails } from './GetPackageDetails.ts';
import { GetPackageLadder } from './GetPackageLadder.ts';
import { GetPackageVersionDetails } from './GetPackageVersionDetails.ts';
import { QueryPackageVersions } from './QueryPackageVersions.ts';
import { QueryRepositoryPackages } from './QueryRepositoryPackages.ts';
import { QueryTagHistory } from './QueryTagHistory.ts';
import { RemovePackageAsset } from './RemovePackageAsset.ts';
import { RemovePackageVersionAsset } from './RemovePackageVersionAsset.ts';
import { ResolvePackageByPath } from './ResolvePackageByPath.ts';
import { ResolvePackageVersionAssetByPath } from './ResolvePackageVersionAssetByPath.ts';
import { ResolvePackageVersionByPath } from './ResolvePackageVersionByPath.ts';
import { SetPackageAssetMetadata } from './SetPackageAssetMetadata.ts';
import { SetPackageKind } from './SetPackageKind.ts';
import { SetPackageMetadata } from './SetPackageMetadata.ts';
import { SetPackageName } from './SetPackageName.ts';
import { SetVersionAssetMetadata } from './SetVersionAssetMetadata.ts';
import { SetVersionMetadata } from './SetVersionMetadata.ts';
import { SetVersionName } from './SetVersionName.ts';
import { TagPackageVersion } from './TagPackageVersion.ts';
import { UntagPackageVersion } from './UntagPackageVersion.ts';

/** The actions of this domain by wire name. */
export const packagesActions = {
  repositories_AddPackageAsset: AddPackageAsset,
  repositories_AddPackageVersionAsset: AddPackageVersionAsset,
  repositories_CompareVersions: CompareVersions,
  repositories_CreatePackage: CreatePackage,
  repositories_CreatePackageVersion: CreatePackageVersion,
  repositories_DeletePackage: DeletePackage,
  repositories_DeletePackageVersion: DeletePackageVersion,
  repositories_GetPackageDetails: GetPackageDetails,
  repositories_GetPackageLadder: GetPackageLadder,
  repositories_GetPackageVersionDetails: GetPackageVersionDetails,
  repositories_QueryPackageVersions: QueryPackageVersions,
  repositories_QueryRepositoryPackages: QueryRepositoryPackages,
  repositories_QueryTagHistory: QueryTagHistory,
  repositories_RemovePackageAsset: RemovePackageAsset,
  repositories_RemovePackageVersionAsset: RemovePackageVersionAsset,
  repositories_ResolvePackageByPath: ResolvePackageByPath,
  repositories_ResolvePackageVersionAssetByPath: ResolvePackageVersionAssetByPath,
  repositories_ResolvePackageVersionByPath: ResolvePackageVersionByPath,
  repositories_SetPackageAssetMetadata: SetPackageAssetMetadata,
  repositories_SetPackageKind: SetPackageKind,
  repositories_SetPackageMetadata: SetPackageMetadata,
  repositories_SetPackageName: SetPackageName,
  repositories_SetVersionAssetMetadata: SetVersionAssetMetadata,
  repositories_SetVersionMetadata: SetVersionMetadata,
  repositories_SetVersionName: SetVersionName,
  repositories_TagPackageVersion: TagPackageVersion,
  repositories_UntagPackageVersion: UntagPackageVersion,
};
