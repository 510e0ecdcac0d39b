import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { mustHaveNoLockedTagInPackage } from './package-tags.ts';
import { lockName, lockPackage } from './repository-locks.ts';
import type { RenameOutcome } from './repository-names.ts';

/** Renames a package by raw ids; says what became of it. Throws an `ActionError` of kind Invalid while one of its tags is locked, as its paths would change. */
export async function renamePackage(
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
