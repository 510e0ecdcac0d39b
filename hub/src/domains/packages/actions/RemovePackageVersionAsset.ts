import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustWriteVersion, type VersionAccess, lockVersion } from '../../repositories/index.ts';
import { removeFile } from '../sql/package-files.ts';
import { mustHaveNoLockedTag } from '../sql/package-tags.ts';

/** Detaches a filename from a version, unless a locked tag points at it: its files would be others. */
export const RemovePackageVersionAsset: Handler<'repositories_RemovePackageVersionAsset', VersionAccess> = {
  authorize: ({ tx, actor, input }) => mustWriteVersion(tx, actor, input.versionId),

  async run({ tx, input, now, emit }, access) {
    await lockVersion(tx, access);
    await mustHaveNoLockedTag(tx, access.versionId);
    const owner = { kind: 'version', id: access.versionId } as const;
    if (!(await removeFile(tx, owner, input.filename, now))) throw notFound('File');
    emit('repositories_FileRemoved', {
      repositoryId: ids.repository.of(access.repositoryId),
      packageId: ids.package.of(access.packageId),
      versionId: input.versionId,
      filename: input.filename,
    });
    return {};
  },
};
