import { z } from 'zod';
import { command, query } from '../define.ts';
import { fileChange, repositoryAssetStatus } from '../enums.ts';
import { ids } from '../ids.ts';
import { orderOf, pagedQuery } from '../paging.ts';
import {
  commandWithMetadata,
  metadataInput,
  packageFile,
  tagRequests,
  versionLabel,
  versionTag,
} from '../repository-shapes.ts';
import { anyName, digest, empty, json, jsonMap, searchText, text, uint64 } from '../scalars.ts';

const version = { versionId: ids.packageVersion.schema };
const comparedFile = z.object({
  assetId: ids.asset.schema,
  size: uint64,
  digest,
  status: repositoryAssetStatus,
});

/** Actions on the versions of packages. */
export const packageVersionsActions = {
  repositories_QueryPackageVersions: pagedQuery({
    doc: 'Lists the versions of a package with their tags, newest first unless another order is asked for.',
    reads: ['packages'],
    input: z.object({
      packageId: ids.package.schema,
      /** Only versions whose name, id or tag contains this, in any case. */
      search: searchText.optional(),
      /** By name, versions without one come last. */
      order: orderOf(['name', 'createdAt']).optional(),
    }),
    output: z.object({
      versions: z.array(versionLabel.extend({ tags: z.array(versionTag) })),
    }),
  }),
  repositories_GetPackageLadder: query({
    doc: 'Returns the newest versions of a package and those that a tag points at, newest first, each with what differs from the next of them.',
    reads: ['packages', 'assets'],
    input: z.object({ packageId: ids.package.schema }),
    output: z.object({
      rungs: z.array(
        versionLabel.extend({
          tags: z.array(versionTag),
          fileCount: uint64,
          /** The bytes of all different files. */
          totalBytes: uint64,
          /** How many versions of the package are between this one and the next in the answer, or after the last. */
          olderCount: uint64,
          /** What is other than in the next version of the answer; absent in the last. */
          step: z
            .object({
              /** Files that were added, removed or changed. */
              changedFiles: uint64,
              /** The bytes that the older version does not have under any filename. */
              bytesToFetch: uint64,
            })
            .optional(),
        }),
      ),
    }),
  }),
  repositories_ResolvePackageVersionByPath: query({
    doc: 'Resolves repository, package and tag to ids; `tag~1` is what the tag pointed at before, `tag@2026-09-01` at the end of that day.',
    reads: ['repositories', 'packages'],
    input: z.object({ repository: anyName, package: text, tag: text }),
    output: z.discriminatedUnion('result', [
      z.object({
        result: z.literal('Found'),
        repositoryId: ids.repository.schema,
        packageId: ids.package.schema,
        ...version,
      }),
      z.object({ result: z.literal('NotFound') }),
    ]),
  }),
  repositories_ResolvePackageVersionAssetByPath: query({
    doc: 'Resolves repository, package, tag and filename to ids; tags as in repositories_ResolvePackageVersionByPath.',
    reads: ['repositories', 'packages'],
    input: z.object({ repository: anyName, package: text, tag: text, filename: anyName }),
    output: z.discriminatedUnion('result', [
      z.object({
        result: z.literal('Found'),
        repositoryId: ids.repository.schema,
        packageId: ids.package.schema,
        ...version,
        assetId: ids.asset.schema,
      }),
      z.object({ result: z.literal('NotFound') }),
    ]),
  }),
  repositories_GetPackageVersionDetails: query({
    doc: 'Returns a version with its metadata, files and tags.',
    reads: ['packages', 'assets'],
    input: z.object(version),
    output: versionLabel.extend({
      repositoryId: ids.repository.schema,
      packageId: ids.package.schema,
      packageName: text,
      metadata: jsonMap,
      assets: z.array(packageFile),
      tags: z.array(versionTag),
    }),
  }),
  repositories_CompareVersions: query({
    doc: 'Compares the files and the metadata of two versions of a package.',
    reads: ['packages', 'assets'],
    input: z.object({
      fromVersionId: ids.packageVersion.schema,
      toVersionId: ids.packageVersion.schema,
    }),
    output: z.object({
      from: versionLabel,
      to: versionLabel,
      /** Ordered by filename. */
      files: z.array(
        z.object({
          filename: text,
          /** By the digest alone. */
          change: fileChange,
          hasOtherMetadata: z.boolean(),
          from: comparedFile.optional(),
          to: comparedFile.optional(),
        }),
      ),
      /** The keys of the metadata with different values; absent where a version does not have the key. */
      metadata: z.array(z.object({ key: text, from: json.optional(), to: json.optional() })),
      /** The bytes of all different files in `to`. */
      totalBytes: uint64,
      /** The bytes of those of them that `from` does not have under any filename. */
      bytesToFetch: uint64,
    }),
  }),
  repositories_CreatePackageVersion: commandWithMetadata({
    doc: 'Creates a version of a package and tags it.',
    input: z.object({
      packageId: ids.package.schema,
      name: anyName.optional(),
      tags: tagRequests.optional(),
      metadata: metadataInput.optional(),
    }),
    output: z.object({ result: z.literal('Created'), ...version }),
  }),
  repositories_DeletePackageVersion: command({
    doc: 'Deletes a version; refused while a locked tag points at it, and with `onlyIfUntagged` while any tag does.',
    input: z.object({
      ...version,
      /** An addition of Corral's: hubs that do not know it delete the version. */
      onlyIfUntagged: z.boolean().optional(),
    }),
    output: empty,
  }),
  repositories_SetVersionName: command({
    doc: 'Sets the name of a version; absent or blank clears it.',
    input: z.object({ ...version, name: anyName.optional() }),
    output: empty,
  }),
  repositories_SetVersionMetadata: commandWithMetadata({
    doc: 'Replaces the metadata of a version.',
    input: z.object({ ...version, metadata: metadataInput }),
    output: empty,
  }),
} as const;
