import { z } from 'zod';
import { command } from '../define.ts';
import { ids } from '../ids.ts';
import { addedFile, fileMetadataInput } from '../repository-shapes.ts';
import { anyName, empty } from '../scalars.ts';

const fileOfPackage = { packageId: ids.package.schema, filename: anyName };
const fileOfVersion = { versionId: ids.packageVersion.schema, filename: anyName };

/** Actions on the files of packages and versions; a file is an asset under a filename. */
export const packageFilesActions = {
  repositories_AddPackageVersionAsset: command({
    doc: 'Attaches an asset of the same repository to a version under a filename.',
    input: z.object({
      ...fileOfVersion,
      assetId: ids.asset.schema,
      metadata: fileMetadataInput.optional(),
    }),
    output: addedFile,
  }),
  repositories_RemovePackageVersionAsset: command({
    doc: 'Detaches a filename from a version.',
    input: z.object(fileOfVersion),
    output: empty,
  }),
  repositories_SetVersionAssetMetadata: command({
    doc: 'Replaces the metadata of a file of a version.',
    input: z.object({ ...fileOfVersion, metadata: fileMetadataInput }),
    output: empty,
  }),
  repositories_AddPackageAsset: command({
    doc: 'Attaches an asset of the same repository to a package itself under a filename.',
    input: z.object({
      ...fileOfPackage,
      assetId: ids.asset.schema,
      metadata: fileMetadataInput.optional(),
    }),
    output: addedFile,
  }),
  repositories_RemovePackageAsset: command({
    doc: 'Detaches a filename from a package.',
    input: z.object(fileOfPackage),
    output: empty,
  }),
  repositories_SetPackageAssetMetadata: command({
    doc: 'Replaces the metadata of a file of a package.',
    input: z.object({ ...fileOfPackage, metadata: fileMetadataInput }),
    output: empty,
  }),
} as const;
