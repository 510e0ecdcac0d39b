import { z } from 'zod';
import { id, map, maybe, nothing, result, time, uint } from './strict-scalars.ts';

const visibility = z.enum(['Public', 'Private']);
const assetStatus = z.enum(['Dangling', 'Available', 'Deleting']);
const digest = z.string().regex(/^sha256_[0-9a-f]{64}$/);
const tag = z.object({ tag: z.string(), locked: z.boolean() });
const oldFile = {
  filename: z.string(),
  assetId: id('repo_a'),
  size: uint(53),
  digest,
  status: assetStatus,
};
const storage = z.object({
  status: z.enum(['Unknown', 'Present', 'Verified', 'Missing', 'Mismatched', 'Error']),
  checkedAt: maybe(time),
  detail: maybe(z.string()),
});
const file = z.object({ ...oldFile, storage: maybe(storage), metadata: map(z.json()) });

/** These decoders refuse a further key. */
const resolvedRepository = z.union([
  z.strictObject({ result: z.literal('Found'), repositoryId: id('repo') }),
  result('NotFound'),
]);
const resolved = (fields: z.ZodRawShape) =>
  z.union([
    result('Found', { repositoryId: id('repo'), packageId: id('pkg'), ...fields }),
    result('NotFound'),
  ]);
const resolvedPackage = resolved({});
const resolvedVersion = resolved({ versionId: id('pkg_v') });
const resolvedFile = resolved({ versionId: id('pkg_v'), assetId: id('repo_a') });
const createdRepository = z.union([
  result('Created', { repositoryId: id('repo') }),
  result('NameAlreadyExists'),
]);
const createdPackage = z.union([result('Created', { packageId: id('pkg') }), result('NameAlreadyExists')]);
const createdVersion = result('Created', { versionId: id('pkg_v') });
const addedFile = z.union([result('Added'), result('FilenameAlreadyExists')]);
const linkedProjects = z.object({
  projects: z.array(z.object({ projectId: id('p'), name: z.string() })),
});
const repositoryCounts = { visibility, packageCount: uint(53), assetCount: uint(53) };
const oldListedPackage = { packageId: id('pkg'), name: z.string(), createdAt: time };
const oldListedVersion = { versionId: id('pkg_v'), createdAt: time, tags: z.array(tag) };
const oldVersion = {
  versionId: id('pkg_v'),
  repositoryId: id('repo'),
  packageId: id('pkg'),
  tags: z.array(tag),
};

const oldListedAsset = { assetId: id('repo_a'), size: uint(53), digest };
const oldAsset = { ...oldListedAsset, status: assetStatus, referenceCount: uint(53) };
const createdAsset = z.discriminatedUnion('result', [
  z.strictObject({ result: z.literal('Created'), assetId: id('repo_a') }),
  z.strictObject({ result: z.literal('AssetAlreadyExists'), assetId: id('repo_a') }),
]);
const listedAssets = z.object({ assets: z.array(z.object(oldListedAsset)) });
const issuedUrl = z.object({ url: z.url() });
const notEmpty = z.string().min(1);
/** The clients of 2026-08 do not upload without the URL and these headers. */
const uploadUrls = issuedUrl.extend({
  verifiedUrl: z.url(),
  headers: z
    .object({
      'x-amz-meta-nexigon-asset-id': notEmpty,
      'x-amz-meta-nexigon-digest': notEmpty,
      'if-none-match': notEmpty,
    })
    .and(
      z.union([
        z.object({ 'x-amz-content-sha256': notEmpty }),
        z.object({ 'x-amz-checksum-sha256': notEmpty }),
      ]),
    )
    .and(map(z.string())),
});
/** No client may get the secret key. */
const noSecret = z.never().optional();

/** The shapes of repositories that clients of 2025 decode. */
export const firstRepositoryShapes = {
  projects_QueryProjectRepositories: z.object({
    repositories: z.array(z.object({ repositoryId: id('repo'), name: z.string() })),
  }),
  projects_AddProjectRepository: nothing,
  projects_RemoveProjectRepository: nothing,
  repositories_ResolveRepositoryName: resolvedRepository,
  repositories_GetRepositoryDetails: z.object({
    repositoryId: id('repo'),
    name: z.string(),
    ...repositoryCounts,
  }),
  repositories_CreateRepository: createdRepository,
  repositories_DeleteRepository: nothing,
  repositories_SetRepositoryVisibility: nothing,
  repositories_QueryRepositoryPackages: z.object({ packages: z.array(z.object(oldListedPackage)) }),
  repositories_QueryRepositoryProjects: linkedProjects,
  repositories_ResolvePackageByPath: resolvedPackage,
  repositories_GetPackageDetails: z.object({
    packageId: id('pkg'),
    name: z.string(),
    versionCount: uint(53),
  }),
  repositories_CreatePackage: createdPackage,
  repositories_DeletePackage: nothing,
  repositories_QueryPackageVersions: z.object({ versions: z.array(z.object(oldListedVersion)) }),
  repositories_ResolvePackageVersionByPath: resolvedVersion,
  repositories_GetPackageVersionDetails: z.object({ ...oldVersion, assets: z.array(z.object(oldFile)) }),
  repositories_CreatePackageVersion: createdVersion,
  repositories_DeletePackageVersion: nothing,
  repositories_AddPackageVersionAsset: addedFile,
  repositories_RemovePackageVersionAsset: nothing,
  repositories_TagPackageVersion: nothing,
  repositories_UntagPackageVersion: nothing,
  repositories_ResolvePackageVersionAssetByPath: resolvedFile,
  repositories_SetRepositoryS3Config: nothing,
  repositories_GetRepositoryS3Config: z.object({
    s3Endpoint: maybe(z.string()),
    s3Bucket: maybe(z.string()),
    s3Region: maybe(z.string()),
    s3Prefix: maybe(z.string()),
    s3AccessKeyId: maybe(z.string()),
    s3SecretAccessKey: noSecret,
  }),
  repositories_QueryRepositoryAssets: listedAssets,
  repositories_GetAssetDetails: z.object(oldAsset),
  repositories_CreateAsset: createdAsset,
  repositories_IssueAssetUploadUrl: issuedUrl,
  repositories_IssueAssetDownloadUrl: issuedUrl,
  repositories_DeleteAsset: nothing,
};

/** The shapes of repositories that clients of 2026 decode. */
export const newerRepositoryShapes = {
  projects_QueryLinkedRepositories: z.object({
    repositories: z.array(
      z.object({
        repositoryId: id('repo'),
        displayName: z.string(),
        slug: maybe(z.string()),
        publicName: z.string(),
      }),
    ),
  }),
  projects_LinkRepository: nothing,
  projects_UnlinkRepository: nothing,
  repositories_ResolveName: resolvedRepository,
  repositories_GetDetails: z.object({
    repositoryId: id('repo'),
    displayName: z.string(),
    slug: maybe(z.string()),
    publicName: z.string(),
    ...repositoryCounts,
  }),
  repositories_Create: createdRepository,
  repositories_Delete: nothing,
  repositories_SetDisplayName: nothing,
  repositories_SetVisibility: nothing,
  repositories_SetSlug: z.union([result('Success'), result('SlugAlreadyExists')]),
  repositories_QueryLinkedProjects: linkedProjects,
  repositories_QueryPackages: z.object({
    packages: z.array(z.object({ ...oldListedPackage, kind: maybe(z.string()) })),
  }),
  repositories_ResolvePackageByPath: resolvedPackage,
  repositories_GetPackageDetails: z.object({
    packageId: id('pkg'),
    name: z.string(),
    kind: maybe(z.string()),
    versionCount: uint(53),
    metadata: map(z.json()),
    assets: z.array(file),
  }),
  repositories_CreatePackage: createdPackage,
  repositories_DeletePackage: nothing,
  repositories_SetPackageName: z.union([result('Success'), result('NameAlreadyExists')]),
  repositories_SetPackageKind: nothing,
  repositories_SetPackageMetadata: nothing,
  repositories_AddPackageAsset: addedFile,
  repositories_RemovePackageAsset: nothing,
  repositories_SetPackageAssetMetadata: nothing,
  repositories_QueryPackageVersions: z.object({
    versions: z.array(z.object({ ...oldListedVersion, name: maybe(z.string()) })),
  }),
  repositories_ResolveVersionByPath: resolvedVersion,
  repositories_GetVersionDetails: z.object({
    ...oldVersion,
    name: maybe(z.string()),
    assets: z.array(file),
    metadata: map(z.json()),
  }),
  repositories_CreateVersion: createdVersion,
  repositories_DeleteVersion: nothing,
  repositories_SetVersionName: nothing,
  repositories_SetVersionMetadata: nothing,
  repositories_TagVersion: nothing,
  repositories_UntagVersion: nothing,
  repositories_AddVersionAsset: addedFile,
  repositories_RemoveVersionAsset: nothing,
  repositories_SetVersionAssetMetadata: nothing,
  repositories_ResolveVersionAssetByPath: resolvedFile,
  repositories_SetS3Config: nothing,
  repositories_GetS3Config: z.object({
    s3Config: z.object({
      endpoint: z.string(),
      bucket: z.string(),
      region: maybe(z.string()),
      prefix: maybe(z.string()),
      forcePathStyle: maybe(z.boolean()),
      accessKeyId: z.string(),
      secretAccessKey: noSecret,
    }),
  }),
  repositories_QueryAssets: listedAssets,
  repositories_GetAssetDetails: z.object({ ...oldAsset, storage: maybe(storage) }),
  repositories_CreateAsset: createdAsset,
  repositories_IssueAssetUploadUrl: uploadUrls,
  repositories_FinalizeAssetUpload: nothing,
  repositories_IssueAssetDownloadUrl: issuedUrl,
  repositories_DeleteAsset: nothing,
};
