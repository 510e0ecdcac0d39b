import { ids, maxFileMetadataKib } from '@corral/contract';
import { mustBeFilename } from '../../../auth/names.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustWriteVersion, type VersionAccess } from '../../repositories/index.ts';
import { jsonWithin } from '../../../calls/sizes.ts';
import { addFile } from '../sql/package-files.ts';

/** Attaches an asset to a version, also before its bytes are uploaded. */
export const AddPackageVersionAsset: Handler<'repositories_AddPackageVersionAsset', VersionAccess> = {
  authorize: ({ tx, actor, input }) => mustWriteVersion(tx, actor, input.versionId),

  async run({ tx, input, now, emit }, access) {
    const file = {
      repositoryId: access.repositoryId,
      assetId: ids.asset.raw(input.assetId),
      filename: mustBeFilename(input.filename),
      metadata: jsonWithin(maxFileMetadataKib, 'The metadata of a file', input.metadata ?? {}),
    };
    if (!(await addFile(tx, { kind: 'version', id: access.versionId }, file, now)))
      return { result: 'FilenameAlreadyExists' };
    emit('repositories_FileAdded', {
      repositoryId: ids.repository.of(access.repositoryId),
      packageId: ids.package.of(access.packageId),
      versionId: input.versionId,
      assetId: input.assetId,
      filename: file.filename,
    });
    return { result: 'Added' };
  },
};
