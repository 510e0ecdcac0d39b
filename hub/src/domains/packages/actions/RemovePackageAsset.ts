import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustWritePackage, type PackageAccess } from '../../repositories/index.ts';
import { removeFile } from '../sql/package-files.ts';

/** Detaches a filename from a package. */
export const RemovePackageAsset: Handler<'repositories_RemovePackageAsset', PackageAccess> = {
  authorize: ({ tx, actor, input }) => mustWritePackage(tx, actor, input.packageId),

  async run({ tx, input, now, emit }, access) {
    const owner = { kind: 'package', id: access.packageId } as const;
    if (!(await removeFile(tx, owner, input.filename, now))) throw notFound('File');
    emit('repositories_FileRemoved', {
      repositoryId: ids.repository.of(access.repositoryId),
      packageId: ids.package.of(access.packageId),
      filename: input.filename,
    });
    return {};
  },
};
