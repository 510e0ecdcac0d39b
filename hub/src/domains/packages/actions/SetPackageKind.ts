import { ids } from '@corral/contract';
import { labelOrNull } from '../../../auth/names.ts';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustWritePackage, type PackageAccess } from '../../repositories/index.ts';

/** Sets or clears the kind of a package. */
export const SetPackageKind: Handler<'repositories_SetPackageKind', PackageAccess> = {
  authorize: ({ tx, actor, input }) => mustWritePackage(tx, actor, input.packageId),

  async run({ tx, input, emit }, { repositoryId, packageId }) {
    const kind = labelOrNull(input.kind, 'packageKind');
    const { numUpdatedRows } = await tx
      .updateTable('packages')
      .set({ kind })
      .where('package_id', '=', packageId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw notFound('Package');
    emit('repositories_PackageChanged', {
      repositoryId: ids.repository.of(repositoryId),
      packageId: input.packageId,
      kind,
    });
    return {};
  },
};
