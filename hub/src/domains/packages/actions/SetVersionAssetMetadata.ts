import { ids, maxFileMetadataKib } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustWriteVersion, type VersionAccess } from '../../repositories/index.ts';
import { jsonWithin } from '../../../calls/sizes.ts';
import { setFileMetadata } from '../sql/package-files.ts';

/** Replaces the metadata of a file of a version. */
export const SetVersionAssetMetadata: Handler<'repositories_SetVersionAssetMetadata', VersionAccess> = {
  authorize: ({ tx, actor, input }) => mustWriteVersion(tx, actor, input.versionId),

  async run({ tx, input, emit }, access) {
    const metadata = jsonWithin(maxFileMetadataKib, 'The metadata of a file', input.metadata);
    const owner = { kind: 'version', id: access.versionId } as const;
    if (!(await setFileMetadata(tx, owner, input.filename, metadata))) throw notFound('File');
    emit('repositories_FileChanged', {
      repositoryId: ids.repository.of(access.repositoryId),
      packageId: ids.package.of(access.packageId),
      versionId: input.versionId,
      filename: input.filename,
    });
    return {};
  },
};
