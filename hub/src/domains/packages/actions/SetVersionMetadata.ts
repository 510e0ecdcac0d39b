import { ids, maxMetadataKib } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustWriteVersion, type VersionAccess } from '../../repositories/index.ts';
import { jsonWithin } from '../../../calls/sizes.ts';

/** Replaces the metadata of a version. */
export const SetVersionMetadata: Handler<'repositories_SetVersionMetadata', VersionAccess> = {
  authorize: ({ tx, actor, input }) => mustWriteVersion(tx, actor, input.versionId),

  async run({ tx, input, emit }, { repositoryId, packageId, versionId }) {
    const metadata = jsonWithin(maxMetadataKib, 'Metadata', input.metadata);
    const { numAffectedRows } =
      await sql`update package_versions set metadata = ${metadata}::jsonb where version_id = ${versionId}`.execute(
        tx,
      );
    if (numAffectedRows === 0n) throw notFound('Version');
    emit('repositories_VersionChanged', {
      repositoryId: ids.repository.of(repositoryId),
      packageId: ids.package.of(packageId),
      versionId: input.versionId,
    });
    return {};
  },
};
