import { ActionError, ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../db/connect.ts';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustWritePackage, type PackageAccess } from '../../policy/repositories.ts';
import { allowLongStatements } from '../../store/allow-long-statements.ts';
import { lockPackage } from '../../store/repository-locks.ts';

/** Deletes a package with its versions, tags and files, unless one of its tags is locked. */
export const DeletePackage: Handler<'repositories_DeletePackage', PackageAccess> = {
  authorize: ({ tx, actor, input }) => mustWritePackage(tx, actor, input.packageId),

  async run({ tx, input, emit }, { repositoryId, packageId }) {
    await allowLongStatements(tx);
    await lockPackage(tx, packageId);
    await mustHaveNoLockedTag(tx, packageId);
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

async function mustHaveNoLockedTag(tx: Database, packageId: string): Promise<void> {
  const { rows } = await sql<{ tag: string; version_id: string }>`
    select tag, version_id from package_tags where package_id = ${packageId} and locked order by tag limit 1`.execute(
    tx,
  );
  const [locked] = rows;
  if (locked === undefined) return;
  const version = ids.packageVersion.of(locked.version_id);
  throw new ActionError(
    'Invalid',
    `The locked tag ${locked.tag} points at the version ${version} of this package, so the package cannot be deleted.`,
  );
}
