import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { mustBePathName } from '../../../auth/names.ts';
import type { Handler } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import {
  mustWritePackage,
  lockName,
  lockPackage,
  type PackageAccess,
  type RenameOutcome,
} from '../../repositories/index.ts';
import { mustHaveNoLockedTagInPackage } from '../sql/package-tags.ts';

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

/** Renames a package by raw ids; says what became of it. Throws an `ActionError` of kind Invalid while one of its tags is locked, as its paths would change. */
async function renamePackage(
  tx: Database,
  { repositoryId, packageId }: { readonly repositoryId: string; readonly packageId: string },
  name: string,
): Promise<Exclude<RenameOutcome, 'Gone'>> {
  await lockPackage(tx, packageId);
  await lockName(tx, repositoryId, name);
  const { rows } = await sql<{ package_id: string }>`
    select package_id from packages where repository_id = ${repositoryId} and name = ${name}`.execute(tx);
  if (rows[0] !== undefined) return rows[0].package_id === packageId ? 'Unchanged' : 'Taken';
  await mustHaveNoLockedTagInPackage(tx, packageId, 'renamed');
  await tx.updateTable('packages').set({ name }).where('package_id', '=', packageId).execute();
  return 'Renamed';
}
