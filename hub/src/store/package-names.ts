import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { lockName } from './repository-locks.ts';
import type { RenameOutcome } from './repository-names.ts';

/** Renames a package by raw ids; says what became of it. */
export async function renamePackage(
  tx: Database,
  { repositoryId, packageId }: { readonly repositoryId: string; readonly packageId: string },
  name: string,
): Promise<RenameOutcome> {
  await lockName(tx, repositoryId, name);
  const { rows } = await sql<{ package_id: string }>`
    select package_id from packages where repository_id = ${repositoryId} and name = ${name}`.execute(tx);
  if (rows[0] !== undefined) return rows[0].package_id === packageId ? 'Unchanged' : 'Taken';
  const { numUpdatedRows } = await tx
    .updateTable('packages')
    .set({ name })
    .where('package_id', '=', packageId)
    .executeTakeFirst();
  return numUpdatedRows === 0n ? 'Gone' : 'Renamed';
}
