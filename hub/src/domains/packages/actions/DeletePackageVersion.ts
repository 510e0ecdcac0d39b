import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustWriteVersion, type VersionAccess, lockPackage } from '../../repositories/index.ts';
import { touchAssets } from '../sql/package-files.ts';
import { mustHaveNoTag, removeAllTags } from '../sql/package-tags.ts';

/** Deletes a version with its tags and files, unless a locked tag points at it, or any tag if only an untagged one is to be deleted. */
export const DeletePackageVersion: Handler<'repositories_DeletePackageVersion', VersionAccess> = {
  authorize: ({ tx, actor, input }) => mustWriteVersion(tx, actor, input.versionId),

  async run(context, access) {
    const { tx, input, now, emit } = context;
    await lockPackage(tx, access.packageId);
    await lockForDeletion(tx, access.versionId);
    if (input.onlyIfUntagged === true) await mustHaveNoTag(tx, access.versionId);
    await removeAllTags(context, access);
    await touchAssets(
      tx,
      sql`select asset_id from version_assets where version_id = ${access.versionId}`,
      now,
    );
    const deleted = await tx
      .deleteFrom('package_versions')
      .where('version_id', '=', access.versionId)
      .returning('name')
      .executeTakeFirst();
    if (deleted === undefined) throw notFound('Version');
    emit('repositories_VersionDeleted', {
      repositoryId: ids.repository.of(access.repositoryId),
      packageId: ids.package.of(access.packageId),
      versionId: input.versionId,
      ...(deleted.name === null ? {} : { name: deleted.name }),
    });
    return {};
  },
};

/** Before its assets are locked: who attaches a file locks in this order, too. */
async function lockForDeletion(tx: Database, versionId: string): Promise<void> {
  const { rows } =
    await sql`select 1 from package_versions where version_id = ${versionId} for update`.execute(tx);
  if (rows.length === 0) throw notFound('Version');
}
