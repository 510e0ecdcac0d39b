import { ids, maxFileMetadataKib } from '@corral/contract';
import { mustBeFilename } from '../../../auth/names.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustWritePackage, type PackageAccess } from '../../repositories/index.ts';
import { jsonWithin } from '../../../calls/sizes.ts';
import { addFile } from '../sql/package-files.ts';

/** Attaches an asset to a package, also before its bytes are uploaded. */
export const AddPackageAsset: Handler<'repositories_AddPackageAsset', PackageAccess> = {
  authorize: ({ tx, actor, input }) => mustWritePackage(tx, actor, input.packageId),

  async run({ tx, input, now, emit }, access) {
    const file = {
      repositoryId: access.repositoryId,
      assetId: ids.asset.raw(input.assetId),
      filename: mustBeFilename(input.filename),
      metadata: jsonWithin(maxFileMetadataKib, 'The metadata of a file', input.metadata ?? {}),
    };
    if (!(await addFile(tx, { kind: 'package', id: access.packageId }, file, now)))
      return { result: 'FilenameAlreadyExists' };
    emit('repositories_FileAdded', {
      repositoryId: ids.repository.of(access.repositoryId),
      packageId: ids.package.of(access.packageId),
      assetId: input.assetId,
      filename: file.filename,
    });
    return { result: 'Added' };
  },
};
