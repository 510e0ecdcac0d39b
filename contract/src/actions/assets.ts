import { z } from 'zod';
import { command, query } from '../define.ts';
import { assetStorage, repositoryAssetStatus } from '../enums.ts';
import { ids } from '../ids.ts';
import { orderOf, pagedQuery } from '../paging.ts';
import { maxChunksAtOnce, maxDigestsAtOnce } from '../repository-rules.ts';
import {
  digest,
  empty,
  joinedDigests,
  listOf,
  mapOf,
  searchText,
  text,
  timestamp,
  uint32,
  uint64,
} from '../scalars.ts';

const asset = {
  assetId: ids.asset.schema,
  size: uint64,
  digest,
  status: repositoryAssetStatus,
  createdAt: timestamp,
  /** How many files of packages and versions are this asset. */
  referenceCount: uint64,
  storage: assetStorage.optional(),
};

const oneAsset = z.object({ assetId: ids.asset.schema });

/** Actions on the assets of repositories. */
export const assetsActions = {
  repositories_QueryRepositoryAssets: pagedQuery({
    doc: 'Lists the assets of a repository, or those of some digests, newest first unless another order is asked for.',
    reads: ['assets', 'packages'],
    input: z.object({
      repositoryId: ids.repository.schema,
      digests: listOf(digest, maxDigestsAtOnce).optional(),
      /** Only assets whose id, digest or status contains this, in any case. */
      search: searchText.optional(),
      /** `name` is the id, and `uses` is the number of files some seconds ago. */
      order: orderOf(['name', 'digest', 'size', 'status', 'uses', 'createdAt']).optional(),
    }),
    output: z.object({
      assets: z.array(
        z.object({
          ...asset,
          /** Names of files that are this asset, up to three of the first that the hub finds; absent for none. */
          filenames: z.array(text).optional(),
        }),
      ),
    }),
  }),
  repositories_GetAssetDetails: query({
    doc: 'Returns an asset with its status, what its store said last, and the number of files that refer to it.',
    reads: ['assets', 'packages'],
    input: oneAsset,
    output: z.object({ ...asset, repositoryId: ids.repository.schema }),
  }),
  repositories_QueryAssetReferences: pagedQuery({
    doc: 'Lists the files of packages and versions that refer to an asset.',
    reads: ['packages'],
    input: oneAsset,
    output: z.object({
      references: z.array(
        z.object({
          packageId: ids.package.schema,
          packageName: text,
          /** Absent for a file of the package itself. */
          versionId: ids.packageVersion.schema.optional(),
          versionName: text.optional(),
          filename: text,
          addedAt: timestamp,
        }),
      ),
    }),
  }),
  repositories_GetAssetChunks: query({
    doc: 'Returns the SHA-256 of each MiB of an available asset, so that a client can verify parts; up to 10,000 at a time.',
    reads: [],
    input: z.object({
      assetId: ids.asset.schema,
      /** The number of chunks to skip; `next` of the answer before. */
      after: uint32.optional(),
      limit: uint32.optional(),
    }),
    output: z.object({
      /** The size of every chunk but the last. */
      chunkSize: uint32,
      /** The number of chunks of the asset; 0 if their digests are not known. */
      total: uint32,
      /** The digests, 32 bytes each, joined, as base64. */
      digests: joinedDigests(maxChunksAtOnce),
      next: uint32.optional(),
    }),
  }),
  repositories_CreateAsset: command({
    doc: 'Starts an upload by its size and digest; the asset becomes available once the uploaded bytes match.',
    input: z.object({ repositoryId: ids.repository.schema, size: uint64, digest }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('AssetAlreadyExists'), assetId: ids.asset.schema }),
      z.object({ result: z.literal('Created'), assetId: ids.asset.schema }),
    ]),
  }),
  repositories_IssueAssetUploadUrl: command({
    doc: 'Issues URLs for uploading an asset; a PUT of exactly its bytes to `url` makes it available by itself.',
    input: oneAsset,
    output: z.object({
      url: text,
      /** Takes one PUT with all of `headers`; then finalize the upload. It may lead to the object store itself. */
      verifiedUrl: text.optional(),
      headers: mapOf(text).optional(),
      /** Takes resumable uploads by the protocol tus 1.0. */
      resumableUrl: text.optional(),
      expiresAt: timestamp,
    }),
    audit: 'none',
  }),
  repositories_FinalizeAssetUpload: command({
    doc: 'Verifies uploaded bytes and makes the asset available; without effect on an available one.',
    input: oneAsset,
    output: empty,
  }),
  repositories_IssueAssetDownloadUrl: command({
    doc: 'Issues a URL for downloading an asset: for 15 minutes, for a device 24 hours.',
    input: z.object({ assetId: ids.asset.schema, filename: text.optional() }),
    output: z.object({ url: text, size: uint64, digest, expiresAt: timestamp }),
    // A client asks again after each cut; the event has one row per asset, actor and hour.
    audit: 'none',
  }),
  repositories_RetryAssetCheck: command({
    doc: 'Has the stored bytes of an asset checked next, before all others.',
    input: oneAsset,
    output: empty,
  }),
  repositories_DeleteAsset: command({
    doc: 'Deletes an asset that no file of a package or version refers to.',
    input: oneAsset,
    output: empty,
  }),
} as const;
