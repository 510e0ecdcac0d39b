import { ids } from '@corral/contract';
import { mustBePathName } from '../../auth/names.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustWritePackage, type PackageAccess } from '../../policy/repositories.ts';
import { renamePackage } from '../../store/package-names.ts';

/** Renames a package; its paths change with it, so it keeps its name once a tag is locked. */
export const SetPackageName: Handler<'repositories_SetPackageName', PackageAccess> = {
  authorize: ({ tx, actor, input }) => mustWritePackage(tx, actor, input.packageId),

  async run({ tx, input, emit }, access) {
    const name = mustBePathName(input.name, 'packageName');
    const outcome = await renamePackage(tx, access, name);
    if (outcome === 'Taken') return { result: 'NameAlreadyExists' };
    const repositoryId = ids.repository.of(access.repositoryId);
    if (outcome === 'Renamed')
      emit('repositories_PackageChanged', { repositoryId, packageId: input.packageId, name });
    return { result: 'Success' };
  },
};
