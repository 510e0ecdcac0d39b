import { ids } from '@corral/contract';
import { labelOrNull } from '../../../auth/names.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustWriteVersion, type VersionAccess, lockVersion } from '../../repositories/index.ts';

/** Sets or clears the name of a version. */
export const SetVersionName: Handler<'repositories_SetVersionName', VersionAccess> = {
  authorize: ({ tx, actor, input }) => mustWriteVersion(tx, actor, input.versionId),

  async run({ tx, input, emit }, { repositoryId, packageId, versionId }) {
    const name = labelOrNull(input.name, 'versionName');
    await lockVersion(tx, { packageId, versionId });
    await tx.updateTable('package_versions').set({ name }).where('version_id', '=', versionId).execute();
    emit('repositories_VersionChanged', {
      repositoryId: ids.repository.of(repositoryId),
      packageId: ids.package.of(packageId),
      versionId: input.versionId,
      name,
    });
    return {};
  },
};
