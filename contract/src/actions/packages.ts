import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { orderOf, pagedQuery } from '../paging.ts';
import {
  commandWithMetadata,
  metadataInput,
  packageFile,
  renamed,
  versionLabel,
} from '../repository-shapes.ts';
import { anyName, empty, jsonMap, searchText, text, timestamp, uint64 } from '../scalars.ts';

const packageOf = { packageId: ids.package.schema };

/** Actions on packages. */
export const packagesActions = {
  repositories_QueryRepositoryPackages: pagedQuery({
    doc: 'Lists the packages of a repository with their newest versions, ordered by name unless another order is asked for.',
    reads: ['packages'],
    input: z.object({
      repositoryId: ids.repository.schema,
      /** Only packages whose name, kind or id contains this, in any case. */
      search: searchText.optional(),
      /** `newest` is the name of the newest version, `published` its time, `versions` the number of versions. */
      order: orderOf(['name', 'kind', 'newest', 'published', 'versions']).optional(),
    }),
    output: z.object({
      packages: z.array(
        z.object({
          ...packageOf,
          name: text,
          kind: text.optional(),
          createdAt: timestamp,
          versionCount: uint64,
          newestVersion: versionLabel.optional(),
        }),
      ),
    }),
  }),
  repositories_ResolvePackageByPath: query({
    doc: 'Resolves repository and package names to ids.',
    reads: ['repositories', 'packages'],
    input: z.object({ repository: anyName, package: text }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Found'), repositoryId: ids.repository.schema, ...packageOf }),
      z.object({ result: z.literal('NotFound') }),
    ]),
  }),
  repositories_GetPackageDetails: query({
    doc: 'Returns a package with its number of versions, its metadata and its own files.',
    reads: ['packages', 'assets'],
    input: z.object(packageOf),
    output: z.object({
      ...packageOf,
      repositoryId: ids.repository.schema,
      name: text,
      kind: text.optional(),
      createdAt: timestamp,
      versionCount: uint64,
      metadata: jsonMap,
      assets: z.array(packageFile),
    }),
  }),
  repositories_CreatePackage: commandWithMetadata({
    doc: 'Creates a package; names are unique in the repository.',
    input: z.object({
      repositoryId: ids.repository.schema,
      name: text,
      kind: anyName.optional(),
      metadata: metadataInput.optional(),
    }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('NameAlreadyExists') }),
      z.object({ result: z.literal('Created'), ...packageOf }),
    ]),
  }),
  repositories_DeletePackage: command({
    doc: 'Deletes a package with its versions; refused while a locked tag points at a version.',
    input: z.object(packageOf),
    output: empty,
  }),
  repositories_SetPackageName: command({
    doc: 'Renames a package; names are unique in the repository; refused while a tag is locked.',
    input: z.object({ ...packageOf, name: text }),
    output: renamed,
  }),
  repositories_SetPackageKind: command({
    doc: 'Sets the kind of a package, such as what installs it; absent or blank clears it.',
    input: z.object({ ...packageOf, kind: anyName.optional() }),
    output: empty,
  }),
  repositories_SetPackageMetadata: commandWithMetadata({
    doc: 'Replaces the metadata of a package.',
    input: z.object({ ...packageOf, metadata: metadataInput }),
    output: empty,
  }),
} as const;
