import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustReadVersion, type VersionAccess } from '../../repositories/index.ts';
import { readFiles, toFile } from '../sql/package-files.ts';
import { readVersion } from '../sql/package-versions.ts';

/** Returns a version with its metadata, files and tags. */
export const GetPackageVersionDetails: Handler<'repositories_GetPackageVersionDetails', VersionAccess> = {
  authorize: ({ tx, actor, input }) => mustReadVersion(tx, actor, input.versionId),

  async run({ tx, input }, { repositoryId, packageId, versionId }) {
    const version = await readVersion(tx, versionId);
    if (version === undefined) throw notFound('Version');
    const files = await readFiles(tx, { kind: 'version', id: versionId });
    return {
      versionId: input.versionId,
      repositoryId: ids.repository.of(repositoryId),
      packageId: ids.package.of(packageId),
      packageName: version.package_name,
      ...(version.name === null ? {} : { name: version.name }),
      createdAt: version.created_at,
      metadata: version.metadata,
      assets: files.map(toFile),
      tags: [...version.tags],
    };
  },
};
