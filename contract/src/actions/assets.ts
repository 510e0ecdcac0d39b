import { z } from 'zod';
import { command, query } from '../define.ts';
import { repositoryAssetStatus } from '../enums.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { digest, empty, text, uint64 } from '../scalars.ts';

/** Actions on the assets of repositories. */
export const assetsActions = {
  repositories_QueryRepositoryAssets: pagedQuery({
    doc: 'Lists the assets of a repository.',
    reads: ['repositories'],
    input: z.object({ repositoryId: ids.repository.schema }),
    output: z.object({
      assets: z.array(z.object({ assetId: ids.asset.schema, size: uint64, digest: digest })),
    }),
  }),
  repositories_GetAssetDetails: query({
    doc: 'Returns an asset with its status and the number of versions that use it.',
    reads: ['repositories'],
    input: z.object({ assetId: ids.asset.schema }),
    output: z.object({
      assetId: ids.asset.schema,
      size: uint64,
      digest: digest,
      status: repositoryAssetStatus,
      referenceCount: uint64,
    }),
  }),
  repositories_CreateAsset: command({
    doc: 'Starts an upload by its size and digest; the asset becomes available once the uploaded bytes match.',
    input: z.object({ repositoryId: ids.repository.schema, size: uint64, digest: digest }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('AssetAlreadyExists'), assetId: ids.asset.schema }),
      z.object({ result: z.literal('Created'), assetId: ids.asset.schema }),
    ]),
  }),
  repositories_DeleteAsset: command({
    doc: 'Deletes an asset that no version uses.',
    input: z.object({ assetId: ids.asset.schema }),
    output: empty,
  }),
  repositories_IssueAssetDownloadUrl: command({
    doc: 'Issues a short-lived URL for downloading an asset.',
    input: z.object({ assetId: ids.asset.schema, filename: text.optional() }),
    output: z.object({ url: text }),
  }),
  repositories_IssueAssetUploadUrl: command({
    doc: 'Issues a short-lived URL for uploading an asset.',
    input: z.object({ assetId: ids.asset.schema }),
    output: z.object({ url: text }),
  }),
} as const;
