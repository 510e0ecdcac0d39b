import { ids, maxFileMetadataKib } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustWritePackage, type PackageAccess } from '../../repositories/index.ts';
import { jsonWithin } from '../../../calls/sizes.ts';
import { setFileMetadata } from '../sql/package-files.ts';

/** Replaces the metadata of a file of a package. */
export const SetPackageAssetMetadata: Handler<'repositories_SetPackageAssetMetadata', PackageAccess> = {
  authorize: ({ tx, actor, input }) => mustWritePackage(tx, actor, input.packageId),

  async run({ tx, input, emit }, access) {
    const metadata = jsonWithin(maxFileMetadataKib, 'The metadata of a file', input.metadata);
    const owner = { kind: 'package', id: access.packageId } as const;
    if (!(await setFileMetadata(tx, owner, input.filename, metadata))) throw notFound('File');
    emit('repositories_FileChanged', {
      repositoryId: ids.repository.of(access.repositoryId),
      packageId: ids.package.of(access.packageId),
      filename: input.filename,
    });
    return {};
  },
};
