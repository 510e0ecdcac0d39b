import { ids, maxMetadataKib } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustWritePackage, type PackageAccess } from '../../repositories/index.ts';
import { jsonWithin } from '../../../calls/sizes.ts';

/** Replaces the metadata of a package. */
export const SetPackageMetadata: Handler<'repositories_SetPackageMetadata', PackageAccess> = {
  authorize: ({ tx, actor, input }) => mustWritePackage(tx, actor, input.packageId),

  async run({ tx, input, emit }, { repositoryId, packageId }) {
    const metadata = jsonWithin(maxMetadataKib, 'Metadata', input.metadata);
    const { numAffectedRows } =
      await sql`update packages set metadata = ${metadata}::jsonb where package_id = ${packageId}`.execute(
        tx,
      );
    if (numAffectedRows === 0n) throw notFound('Package');
    emit('repositories_PackageChanged', {
      repositoryId: ids.repository.of(repositoryId),
      packageId: input.packageId,
    });
    return {};
  },
};
