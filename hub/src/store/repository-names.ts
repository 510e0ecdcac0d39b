import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { lockName } from './repository-locks.ts';

/** What became of a renaming; what is gone was deleted meanwhile. */
export type RenameOutcome = 'Renamed' | 'Unchanged' | 'Taken' | 'Gone';

/** Renames a repository by raw id; says what became of it. */
export async function renameRepository(
  tx: Database,
  repositoryId: string,
  name: string,
): Promise<RenameOutcome> {
  await lockName(tx, '', name);
  const { rows } = await sql<{ repository_id: string }>`
    select repository_id from repositories where name = ${name}`.execute(tx);
  if (rows[0] !== undefined) return rows[0].repository_id === repositoryId ? 'Unchanged' : 'Taken';
  const { numUpdatedRows } = await tx
    .updateTable('repositories')
    .set({ name })
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst();
  return numUpdatedRows === 0n ? 'Gone' : 'Renamed';
}
