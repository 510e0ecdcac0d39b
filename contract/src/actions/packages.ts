import { z } from 'zod';
import { command, query } from '../define.ts';
import { repositoryAssetStatus } from '../enums.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { digest, empty, listOf, text, timestamp, uint64 } from '../scalars.ts';

/** How many tags one call may set or remove. */
const maxTags = 100;
const tagRequest = z.object({ tag: text, locked: z.boolean().optional(), reassign: z.boolean().optional() });

/** Actions on packages, versions and tags. */
export const packagesActions = {
  repositories_QueryRepositoryPackages: pagedQuery({
    doc: 'Lists the packages of a repository, ordered by name.',
    reads: ['repositories'],
    input: z.object({ repositoryId: ids.repository.schema }),
    output: z.object({
      packages: z.array(z.object({ packageId: ids.package.schema, name: text, createdAt: timestamp })),
    }),
  }),
  repositories_ResolvePackageByPath: query({
    doc: 'Resolves repository and package names to ids.',
    reads: ['repositories'],
    input: z.object({ repository: text, package: text }),
    output: z.discriminatedUnion('result', [
      z.object({
        result: z.literal('Found'),
        repositoryId: ids.repository.schema,
        packageId: ids.package.schema,
      }),
      z.object({ result: z.literal('NotFound') }),
    ]),
  }),
  repositories_GetPackageDetails: query({
    doc: 'Returns a package with its number of versions.',
    reads: ['repositories'],
    input: z.object({ packageId: ids.package.schema }),
    output: z.object({ packageId: ids.package.schema, name: text, versionCount: uint64 }),
  }),
  repositories_CreatePackage: command({
    doc: 'Creates a package; names are unique in the repository.',
    input: z.object({ repositoryId: ids.repository.schema, name: text }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('NameAlreadyExists') }),
      z.object({ result: z.literal('Created'), packageId: ids.package.schema }),
    ]),
  }),
  repositories_DeletePackage: command({
    doc: 'Deletes a package with its versions; refused while a locked tag points at a version.',
    input: z.object({ packageId: ids.package.schema }),
    output: empty,
  }),
  repositories_QueryPackageVersions: pagedQuery({
    doc: 'Lists the versions of a package, newest first, with their tags.',
    reads: ['repositories'],
    input: z.object({ packageId: ids.package.schema }),
    output: z.object({
      versions: z.array(
        z.object({
          versionId: ids.packageVersion.schema,
          createdAt: timestamp,
          tags: z.array(z.object({ tag: text, locked: z.boolean() })),
        }),
      ),
    }),
  }),
  repositories_ResolvePackageVersionByPath: query({
    doc: 'Resolves repository, package and tag to ids.',
    reads: ['repositories'],
    input: z.object({ repository: text, package: text, tag: text }),
    output: z.discriminatedUnion('result', [
      z.object({
        result: z.literal('Found'),
        repositoryId: ids.repository.schema,
        packageId: ids.package.schema,
        versionId: ids.packageVersion.schema,
      }),
      z.object({ result: z.literal('NotFound') }),
    ]),
  }),
  repositories_GetPackageVersionDetails: query({
    doc: 'Returns a version with its assets and tags.',
    reads: ['repositories'],
    input: z.object({ versionId: ids.packageVersion.schema }),
    output: z.object({
      versionId: ids.packageVersion.schema,
      repositoryId: ids.repository.schema,
      packageId: ids.package.schema,
      assets: z.array(
        z.object({
          filename: text,
          assetId: ids.asset.schema,
          size: uint64,
          digest: digest,
          status: repositoryAssetStatus,
        }),
      ),
      tags: z.array(z.object({ tag: text, locked: z.boolean() })),
    }),
  }),
  repositories_CreatePackageVersion: command({
    doc: 'Creates a version of a package and tags it.',
    input: z.object({
      packageId: ids.package.schema,
      tags: listOf(tagRequest, maxTags).optional(),
    }),
    output: z.object({ result: z.literal('Created'), versionId: ids.packageVersion.schema }),
  }),
  repositories_DeletePackageVersion: command({
    doc: 'Deletes a version; refused while a locked tag points at it.',
    input: z.object({ versionId: ids.packageVersion.schema }),
    output: empty,
  }),
  repositories_AddPackageVersionAsset: command({
    doc: 'Attaches an asset to a version under a filename.',
    input: z.object({ versionId: ids.packageVersion.schema, assetId: ids.asset.schema, filename: text }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Added') }),
      z.object({ result: z.literal('FilenameAlreadyExists') }),
    ]),
  }),
  repositories_RemovePackageVersionAsset: command({
    doc: 'Detaches a filename from a version.',
    input: z.object({ versionId: ids.packageVersion.schema, filename: text }),
    output: empty,
  }),
  repositories_TagPackageVersion: command({
    doc: 'Points tags at a version; a locked tag is never moved.',
    input: z.object({
      versionId: ids.packageVersion.schema,
      tags: listOf(tagRequest, maxTags),
    }),
    output: empty,
  }),
  repositories_UntagPackageVersion: command({
    doc: 'Removes tags from a version; a locked tag is never removed.',
    input: z.object({ versionId: ids.packageVersion.schema, tags: listOf(z.object({ tag: text }), maxTags) }),
    output: empty,
  }),
  repositories_ResolvePackageVersionAssetByPath: query({
    doc: 'Resolves repository, package, tag and filename to ids.',
    reads: ['repositories'],
    input: z.object({ repository: text, package: text, tag: text, filename: text }),
    output: z.discriminatedUnion('result', [
      z.object({
        result: z.literal('Found'),
        repositoryId: ids.repository.schema,
        packageId: ids.package.schema,
        versionId: ids.packageVersion.schema,
        assetId: ids.asset.schema,
      }),
      z.object({ result: z.literal('NotFound') }),
    ]),
  }),
} as const;
