import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../db/connect.ts';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustWritePackage, type PackageAccess } from '../../policy/repositories.ts';
import { allowLongStatements } from '../../store/allow-long-statements.ts';
import { touchAssets } from '../../store/package-files.ts';
import { mustHaveNoLockedTagInPackage } from '../../store/package-tags.ts';
import { lockPackage } from '../../store/repository-locks.ts';

/** Deletes a package with its versions, tags and files, unless one of its tags is locked. */
export const DeletePackage: Handler<'repositories_DeletePackage', PackageAccess> = {
  authorize: ({ tx, actor, input }) => mustWritePackage(tx, actor, input.packageId),

  async run({ tx, input, now, emit }, { repositoryId, packageId }) {
    await allowLongStatements(tx);
    await lockPackage(tx, packageId);
    await mustHaveNoLockedTagInPackage(tx, packageId, 'deleted');
    await lockVersions(tx, packageId);
    await touchAssets(tx, assetsOf(packageId), now);
    const deleted = await tx
      .deleteFrom('packages')
      .where('package_id', '=', packageId)
      .returning('name')
      .executeTakeFirst();
    if (deleted === undefined) throw notFound('Package');
    emit('repositories_PackageDeleted', {
      repositoryId: ids.repository.of(repositoryId),
      packageId: input.packageId,
      name: deleted.name,
    });
    return {};
  },
};

/** Before the assets are locked: who attaches a file locks in this order, too. */
async function lockVersions(tx: Database, packageId: string): Promise<void> {
  await sql`select count(*) from (
    select 1 from package_versions where package_id = ${packageId} order by version_id for update
  ) as locked`.execute(tx);
}

const assetsOf = (packageId: string) => sql`
  select asset_id from package_assets where package_id = ${packageId}
  union all select f.asset_id from version_assets f join package_versions v using (version_id) where v.package_id = ${packageId}`;
