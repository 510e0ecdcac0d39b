import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustWritePackage, type PackageAccess, lockPackage } from '../../repositories/index.ts';
import { allowLongStatements } from '../../../platform/db/allow-long-statements.ts';
import { touchAssets } from '../sql/package-files.ts';
import { mustHaveNoLockedTagInPackage } from '../sql/package-tags.ts';

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
